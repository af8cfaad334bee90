import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import java.io.File;

/** The engine's database on one thread, with settings that the engine has no option for. */
final class Database extends SQLiteQueue {
  /** Some hundred leads, whose log has five megabytes. */
  private static final int JOBS_PER_CHECKPOINT = 2_000;

  private SQLiteConnection connection;
  private int jobs;

  /** Without a file in memory. */
  Database(File file) {
    super(file);
  }

  @Override
  protected void initConnection(SQLiteConnection connection) throws SQLiteException {
    super.initConnection(connection);
    this.connection = connection;
    // Of a database that is new, in memory: most items do not fit into its usual pages of 1 KB.
    connection.exec("PRAGMA page_size = 4096");
    // A commit is one write to a file, which outlives this process. Without a wait for the disk, a loss of power can undo
    // the last ones. Databases in memory ignore this.
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = NORMAL");
  }

  /**
   * Moves what was written from the log to the database. SQLite does so by itself after a commit, but only if no statement
   * is open, and the engine has one open then: the log would grow by 64 KB per lead.
   */
  @Override
  protected void afterExecute(SQLiteJob job) throws Throwable {
    super.afterExecute(job);
    jobs += 1;
    if (jobs % JOBS_PER_CHECKPOINT != 0) return;
    try {
      connection.exec("PRAGMA wal_checkpoint");
    } catch (SQLiteException stillOpen) {
      // Nothing is lost: the next one moves more.
    }
  }
}

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import java.io.File;
import java.lang.reflect.Field;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine's database, with settings that the engine has no option for. The engine hands each of its jobs, several per
 * request, to the one thread of the database and waits. Here, the thread that has a job does it when it has the turn. It
 * keeps the turn until its transaction ends: otherwise jobs of other requests would be part of that.
 */
final class Database extends SQLiteQueue {
  /** Some hundred leads, whose log has five megabytes. */
  private static final int JOBS_PER_CHECKPOINT = 2_000;

  private final ReentrantLock turn = new ReentrantLock();
  /** A connection may be used by the thread that it belongs to. */
  private final Field owner;
  /** The engine's note, for each thread, of an open transaction of several jobs. */
  private final ThreadLocal<Boolean> inTransaction;
  /** Null before it is open, and after it is closed. */
  private SQLiteConnection connection;
  private int jobs;

  /** Without a file in memory. */
  Database(File file, ThreadLocal<Boolean> inTransaction) throws NoSuchFieldException {
    super(file);
    this.inTransaction = inTransaction;
    owner = SQLiteConnection.class.getDeclaredField("myConfinement");
    owner.setAccessible(true);
  }

  @Override
  protected void initConnection(SQLiteConnection opened) throws SQLiteException {
    super.initConnection(opened);
    // Of a database that is new, in memory: most items do not fit into its usual pages of 1 KB.
    opened.exec("PRAGMA page_size = 4096");
    // A commit is one write to a file, which outlives this process. Without a wait for the disk, a loss of power can undo
    // the last ones. Databases in memory ignore this.
    opened.exec("PRAGMA journal_mode = WAL");
    opened.exec("PRAGMA synchronous = NORMAL");
    turn.lock();
    connection = opened;
    turn.unlock();
  }

  @Override
  public <T, J extends SQLiteJob<T>> J execute(J job) {
    turn.lock();
    try {
      if (connection == null) return super.execute(job);
      executeJob(job);
      return job;
    } catch (Throwable error) {
      throw new IllegalStateException(error);
    } finally {
      turn.unlock();
    }
  }

  /** Also called by the database's own thread, with the jobs from before it was open. */
  @Override
  protected void executeJob(SQLiteJob job) throws Throwable {
    turn.lock();
    try {
      owner.set(connection, Thread.currentThread());
      boolean begun = inTransaction.get();
      super.executeJob(job);
      boolean open = inTransaction.get();
      if (open && !begun) turn.lock();
      if (begun && !open) turn.unlock();
    } finally {
      turn.unlock();
    }
  }

  @Override
  protected void disposeConnection(SQLiteConnection closing) {
    turn.lock();
    try {
      connection = null;
      if (closing != null) owner.set(closing, Thread.currentThread());
      super.disposeConnection(closing);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      turn.unlock();
    }
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

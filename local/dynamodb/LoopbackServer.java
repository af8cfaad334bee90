import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.shared.access.sqlite.AmazonDynamoDBOfflineSQLiteJob;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccessJob;

/**
 * Starts DynamoDB Local on 127.0.0.1. It has no option for that and would listen on all interfaces. The compiled classes
 * are committed as well, because a Java runtime has no compiler: `npm run make:loopback-server` makes them.
 */
public class LoopbackServer {
  /** The database serves one of them at a time. By default there are up to 200, each with its own memory. */
  private static final int THREADS = 16;

  public static void main(String[] arguments) throws Exception {
    KnownSchemas.use((ObjectMapper) field(SQLiteDBAccess.class, "MAPPER").get(null));
    KnownSchemas.use((ObjectMapper) field(SQLiteDBAccessJob.class, "MAPPER").get(null));
    DynamoDBProxyServer dynamoDb = ServerRunner.createServerFromCommandLineArgs(arguments);
    Server server = (Server) read(dynamoDb, "server");
    ServerConnector connector = (ServerConnector) server.getConnectors()[0];
    connector.setHost("127.0.0.1");
    // Any free one: another program could take a port that was chosen before Java has started.
    connector.setPort(0);
    // Most headers of a request are new each time: to look for them among earlier ones took longer than to read them.
    connector.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration().setHeaderCacheSize(0);
    // With DNS rebinding a web page reaches this port under a name of its own.
    for (ContextHandler context : server.getDescendants(ContextHandler.class)) {
      context.setVirtualHosts(List.of("127.0.0.1", "localhost"));
    }
    ((QueuedThreadPool) server.getThreadPool()).setMaxThreads(THREADS);
    prepareDatabase(replaceDatabase(dynamoDb));
    dynamoDb.start();
    System.out.println("Listening on port ".concat(Integer.toString(connector.getLocalPort())));
  }

  /** The database that -sharedDb names, with our settings. The first request would open it. */
  private static Database replaceDatabase(DynamoDBProxyServer dynamoDb) throws Exception {
    Object handler = read(read(dynamoDb, "serverHandler"), "primaryHandler");
    Object access = read(call(handler, "getHandler", "shared"), "dbAccess");
    SQLiteQueue original = (SQLiteQueue) read(access, "queue");
    original.stop(true).join();
    Database database = new Database(original.getDatabaseFile(), inTransaction());
    database.start();
    field(access.getClass(), "queue").set(access, database);
    call(access, "initializeMetadataTables");
    return database;
  }

  @SuppressWarnings("unchecked")
  private static ThreadLocal<Boolean> inTransaction() throws ReflectiveOperationException {
    return (ThreadLocal<Boolean>) field(AmazonDynamoDBOfflineSQLiteJob.class, "manualTransactionsEnabled").get(null);
  }

  private static void prepareDatabase(SQLiteQueue database) throws Exception {
    database.execute(new SQLiteJob<Void>() {
      @Override
      protected Void job(SQLiteConnection connection) throws SQLiteException {
        // Every write looks for the first record of its table's stream, and every poll for the last one of a shard.
        // All streams share one table without an index, so that took longer with every record.
        connection.exec("CREATE INDEX IF NOT EXISTS usByStream ON us (StreamID)");
        connection.exec("CREATE INDEX IF NOT EXISTS usByShard ON us (ShardID)");
        return null;
      }
    }).get();
  }

  private static Object read(Object object, String name) throws ReflectiveOperationException {
    return field(object.getClass(), name).get(object);
  }

  /** The engine has no public way to these. */
  private static Field field(Class<?> from, String name) throws ReflectiveOperationException {
    for (Class<?> type = from; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getName().equals(name)) continue;
        field.setAccessible(true);
        return field;
      }
    }
    throw new NoSuchFieldException(name);
  }

  private static Object call(Object object, String name, String... arguments) throws ReflectiveOperationException {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (!method.getName().equals(name)) continue;
        method.setAccessible(true);
        return method.invoke(object, (Object[]) arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }
}

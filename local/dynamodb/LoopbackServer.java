import java.lang.reflect.Field;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * Starts DynamoDB Local on 127.0.0.1. It has no option for that and would listen on all interfaces. The compiled class
 * is committed as well, because a Java runtime has no compiler: `npm run make:loopback-server` makes it.
 */
public class LoopbackServer {
  public static void main(String[] arguments) throws Exception {
    DynamoDBProxyServer dynamoDb = ServerRunner.createServerFromCommandLineArgs(arguments);
    Field field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    Server server = (Server) field.get(dynamoDb);
    ((ServerConnector) server.getConnectors()[0]).setHost("127.0.0.1");
    // With DNS rebinding a web page reaches this port under a name of its own.
    for (ContextHandler context : server.getDescendants(ContextHandler.class)) {
      context.setVirtualHosts(List.of("127.0.0.1", "localhost"));
    }
    dynamoDb.start();
  }
}

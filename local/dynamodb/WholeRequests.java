import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/**
 * Passes a request on when all of it has arrived. The engine would wait for the rest, on the thread that would have to
 * bring it.
 */
final class WholeRequests extends Handler.Wrapper {
  WholeRequests(Handler handler) {
    super(handler);
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Promise<ByteBuffer> whole = new Promise.Invocable<>() {
      @Override
      public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
      }

      @Override
      public void succeeded(ByteBuffer body) {
        try {
          if (getHandler().handle(new Received(request, body), response, callback)) return;
          Response.writeError(request, response, callback, 404);
        } catch (Exception error) {
          callback.failed(error);
        }
      }

      @Override
      public void failed(Throwable error) {
        callback.failed(error);
      }
    };
    Content.Source.asByteBuffer(request, whole);
    return true;
  }

  private static final class Received extends Request.Wrapper {
    private final Content.Source body;

    Received(Request request, ByteBuffer body) {
      super(request);
      this.body = new ByteBufferContentSource(body);
    }

    @Override
    public long getLength() {
      return body.getLength();
    }

    @Override
    public Content.Chunk read() {
      return body.read();
    }

    @Override
    public void demand(Runnable whenAvailable) {
      body.demand(whenAvailable);
    }

    @Override
    public void fail(Throwable error) {
      body.fail(error);
    }
  }
}

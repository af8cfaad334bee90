import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import software.amazon.dynamodb.services.local.shared.access.StreamInfo;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * Remembers the schemas of tables and streams. DynamoDB Local keeps them as JSON, and parses them several times for every
 * read and write: a third of what the database's thread did.
 */
final class KnownSchemas extends DelegatingDeserializer {
  private static final Set<Class<?>> TYPES = Set.of(TableSchemaInfo.class, StreamInfo.class);
  /** More than the tables of all tests that run at once. */
  private static final int LIMIT = 1_000;

  private record Known(byte[] text, Object schema) {}

  private final Map<Long, Known> known = new ConcurrentHashMap<>();
  private final Constructor<?> constructor;
  private final List<Field> fields = new ArrayList<>();

  /** Before the mapper has parsed anything. */
  static void use(ObjectMapper mapper) {
    // Tells deserializers the text that is parsed.
    mapper.enable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION);
    mapper.registerModule(new SimpleModule().setDeserializerModifier(new BeanDeserializerModifier() {
      @Override
      public JsonDeserializer<?> modifyDeserializer(
          DeserializationConfig config, BeanDescription type, JsonDeserializer<?> parse) {
        return TYPES.contains(type.getBeanClass()) ? new KnownSchemas(parse) : parse;
      }
    }));
  }

  private KnownSchemas(JsonDeserializer<?> parse) {
    super(parse);
    try {
      constructor = parse.handledType().getDeclaredConstructor();
    } catch (NoSuchMethodException error) {
      throw new IllegalStateException(error);
    }
    for (Field field : parse.handledType().getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) continue;
      field.setAccessible(true);
      fields.add(field);
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> parse) {
    return new KnownSchemas(parse);
  }

  @Override
  public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    Object source = parser.currentTokenLocation().contentReference().getRawContent();
    if (!(source instanceof byte[] text)) return super.deserialize(parser, context);
    CRC32 checksum = new CRC32();
    checksum.update(text);
    Known found = known.get(checksum.getValue());
    if (found == null || !Arrays.equals(found.text, text)) {
      found = new Known(text, super.deserialize(parser, context));
      if (known.size() >= LIMIT) known.clear();
      known.put(checksum.getValue(), found);
    }
    try {
      return copy(found.schema);
    } catch (ReflectiveOperationException error) {
      throw new IOException(error);
    }
  }

  /** UpdateTable and UpdateTimeToLive change the schema that they have read, and other tables may have an equal one. */
  private Object copy(Object schema) throws ReflectiveOperationException {
    Object copy = constructor.newInstance();
    for (Field field : fields) field.set(copy, copyCollections(field.get(schema)));
    return copy;
  }

  private static Object copyCollections(Object value) {
    if (value instanceof Collection<?> collection) {
      List<Object> copy = new ArrayList<>(collection.size());
      for (Object element : collection) copy.add(copyCollections(element));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, element) -> copy.put(key, copyCollections(element)));
      return copy;
    }
    return value;
  }
}

/**
 * A property of a document or a form as the browser defines it, methods bound to it. An image or field on the page whose
 * `name` or `id` is `currentScript` or `dataset` shadows the property itself, but not the one of the prototype.
 */
export function builtIn<Thing extends Document | HTMLFormElement, Key extends keyof Thing>(
  thing: Thing,
  key: Key,
): Thing[Key] {
  const value = Reflect.get(Object.getPrototypeOf(thing), key, thing);
  return typeof value === 'function' ? value.bind(thing) : value;
}

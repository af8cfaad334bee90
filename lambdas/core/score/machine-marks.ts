/** Script, SQL, shell or templates of scanners: somebody looks for holes. */
export const PROBE =
  /<script|onerror\s?=|onload\s?=|javascript:|<\?php|<%=|\$\{jndi|\{\{\d{1,4}[*+]\d{1,4}\}\}|\$\{\d{1,4}\*|#\{\d|' ?or ?'?1'? ?=|" ?or ?"?1"? ?=|union (?:all )?select|; ?drop table|drop table \w{1,40};|sleep\(\d|pg_sleep|waitfor delay|benchmark\(|\.\.\/\.\.\/|\/etc\/passwd|win\.ini|xp_cmdshell|nslookup |\|\|? ?(?:curl|wget|id|cat) |[;`] ?(?:curl|wget) |\$\((?:curl|wget|id|whoami)|%0d%0a|php:\/\/|file:\/\/\/|<svg|<iframe|<img src|alert\(|document\.cookie|__proto__|<!entity|select \* from|1=1--|';--/i;

/** What a mass mailing leaves in when its fields are not filled. */
export const TEMPLATE =
  /\{[^{}|]{1,40}\|[^{}]{1,200}\}|%[A-Z_]{3,30}%|\{\{ ?[a-z_. ]{2,40} ?\}\}|\[(?:first ?name|last ?name|name|company|website|domain|your name|city|url)\]|\{(?:first_?name|last_?name|name|company|website|domain|city|url)\}|<test lead|\*\|[A-Z]{2,20}\|\*|\$(?:first_?name|fname)\b|#(?:name|firstname)#|%(?:name|domain|url|website)%/i;

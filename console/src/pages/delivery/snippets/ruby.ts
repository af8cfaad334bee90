import { SECRET_VARIABLE, type Snippet, singleQuoted, writeFields } from './snippet.ts';

export const RUBY: Snippet = {
  id: 'ruby',
  label: 'Ruby',
  fileName: 'send_lead.rb',
  command: 'ruby send_lead.rb',
  needs: 'Ruby 2.5 or later',
  write: ({ url, lead }) => `require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'

url = URI(${singleQuoted(url)})
secret = ENV.fetch('${SECRET_VARIABLE}')

# Serialize the body once; sign and send exactly these bytes.
body = JSON.generate({
${writeFields(lead, '  ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}})
timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")

response = Net::HTTP.post(url, body, {
  'Content-Type' => 'application/json',
  'X-SVC-Timestamp' => timestamp,
  'X-SVC-Signature' => signature,
  # One key per lead. Send the same key when you retry.
  'X-SVC-Idempotency-Key' => SecureRandom.uuid,
})
# Only 202 means success. Rejections return 200.
unless response.code == '202'
  abort "Not accepted: look up request ID #{response['x-amzn-requestid']} in Diagnostics."
end
puts response.body
`,
};

import { eachField, inSingleQuotes, SECRET_VARIABLE, type Snippet } from './snippet.ts';

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

url = URI(${inSingleQuotes(url)})
secret = ENV.fetch('${SECRET_VARIABLE}')

# Write the body once: sign and send this very text.
body = JSON.generate({
${eachField(lead, '  ', (key, value) => `${inSingleQuotes(key)} => ${inSingleQuotes(value)}`)}})
timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")

response = Net::HTTP.post(url, body, {
  'Content-Type' => 'application/json',
  'X-SVC-Timestamp' => timestamp,
  'X-SVC-Signature' => signature,
  # One key for each lead: if you send the same lead again, send the same key.
  'X-SVC-Idempotency-Key' => SecureRandom.uuid,
})
# Every failure is answered with 200 as well: only 202 is success.
unless response.code == '202'
  abort "Not accepted: look up the request id #{response['x-amzn-requestid']} in Diagnostics."
end
puts response.body
`,
};

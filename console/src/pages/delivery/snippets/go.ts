import { goQuoted, type Language, writeFields } from './snippet.ts';

export const GO: Language = {
  id: 'go',
  label: 'Go',
  fileName: 'send_lead.go',
  command: 'go run send_lead.go',
  needs: 'Go 1.16 or later',
  write: ({ url, lead }, { name, variable, ifSigned }) => `package main

import (
	"bytes"
${ifSigned('\t"crypto/hmac"\n')}	"crypto/rand"
${ifSigned('\t"crypto/sha256"\n')}	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${ifSigned('\t"strconv"\n')}	"time"
)

const url = ${goQuoted(url)}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	${name} := os.Getenv("${variable}")
	if ${name} == "" {
		log.Fatal("${variable} is not set.")
	}

${ifSigned('\t// Serialize the body once; sign and send exactly these bytes.\n')}	body, err := json.Marshal(map[string]string{
${writeFields(lead, '\t\t', (key, value) => `${goQuoted(key)}: ${goQuoted(value)}`)}	})
	must(err)
${ifSigned(`	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
`)}
	// One key per lead. Send the same key when you retry.
	key := make([]byte, 16)
	_, err = rand.Read(key)
	must(err)

	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	must(err)
	request.Header.Set("Content-Type", "application/json")
${ifSigned(
  `	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", hex.EncodeToString(mac.Sum(nil)))`,
  '	request.Header.Set("Authorization", "Bearer "+token)',
)}
	request.Header.Set("X-SVC-Idempotency-Key", hex.EncodeToString(key))
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	must(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	must(err)

	// Only 202 means success. Rejections return 200.
	if response.StatusCode != 202 {
		log.Fatalf("Not accepted: look up request ID %s in Diagnostics.", response.Header.Get("x-amzn-requestid"))
	}
	fmt.Println(string(answer))
}
`,
};

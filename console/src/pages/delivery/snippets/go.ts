import { goQuoted, SECRET_VARIABLE, type Snippet, writeFields } from './snippet.ts';

export const GO: Snippet = {
  id: 'go',
  label: 'Go',
  fileName: 'send_lead.go',
  command: 'go run send_lead.go',
  needs: 'Go 1.16 or later',
  write: ({ url, lead }) => `package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const url = ${goQuoted(url)}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	secret := os.Getenv("${SECRET_VARIABLE}")
	if secret == "" {
		log.Fatal("${SECRET_VARIABLE} is not set.")
	}

	// Serialize the body once; sign and send exactly these bytes.
	body, err := json.Marshal(map[string]string{
${writeFields(lead, '\t\t', (key, value) => `${goQuoted(key)}: ${goQuoted(value)}`)}	})
	must(err)
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)

	// One key per lead. Send the same key when you retry.
	key := make([]byte, 16)
	_, err = rand.Read(key)
	must(err)

	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	must(err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", hex.EncodeToString(mac.Sum(nil)))
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

import type { Draw } from '../draw.ts'

/** A text that holds a value. */
export type Place = (value: string, draw: Draw) => string

/** The places of keys that a reader knows by their form. */
export const keyPlaces: readonly Place[] = [
  (key) => `Here is the key for the demo: ${key}`,
  (key) => `curl https://api.example.com/v1/items -H "Authorization: Bearer ${key}"`,
  (key) => `Use ${key} until the new one is issued.`,
  (key) => `\`\`\`bash\nexport SERVICE_KEY=${key}\nnpm run deploy\n\`\`\``,
  (key) => `{"service":{"apiKey":"${key}","retries":3}}`,
  (key) => `client = Client(api_key="${key}", timeout=30)`,
  (key) => `- rotated on Tuesday; old: \`${key}\` (still works)`,
  (key) => `curl -s -H 'X-Api-Key: ${key}' https://api.example.com/me | jq .`,
  (key) => `I pasted it by mistake, ${key}, please forget it.`,
  (key) => `headers = {\n  "x-api-key": "${key}",\n  "accept": "application/json"\n}`,
  (key) => `services:\n  worker:\n    environment:\n      - TOKEN=${key}\n    restart: always`,
  (key) => `GET /v1/search?q=shoes&api_key=${key}&limit=5 HTTP/1.1`,
  (key) => `const client = new Client({ token: '${key}' }) // TODO move to the environment`,
  (key) => `The user said their token is "${key}" and wants a summary every morning.`,
  (key) => `2026-03-11T09:14:02Z WARN auth: retry with ${key} after 401`,
  (key) => `[default]\nendpoint = https://api.example.com\ntoken = ${key}\n`,
  (key) => `| service | key | owner |\n|---|---|---|\n| billing | ${key} | Ana |`,
  (key) => `docker run --rm -e TOKEN=${key} example/worker:1.4.2`,
]

import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { alphabets, type Draw } from '../draw.ts'

const { base64, digits, word } = alphabets
const lengths = [12, 15, 18, 21, 24]
const hasPhrase = (words: readonly string[]) =>
  words.some((_, from) =>
    lengths.some((length) =>
      validateMnemonic(words.slice(from, from + length).join(' '), wordlist),
    ),
  )

/** Returns words of the English list that hold no valid phrase, which only chance would make. */
function words(draw: Draw, count: number): string {
  const drawn = Array.from({ length: count }, () => draw.pick(wordlist))
  return hasPhrase(drawn) ? words(draw, count) : drawn.join(' ')
}
const floats = (draw: Draw, count: number) =>
  Array.from({ length: count }, () => `${draw.pick(['', '-'])}0.0${draw.text(digits, 15)}`).join(
    ',',
  )
const latin = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(
  ' ',
)
const lorem = (draw: Draw) => Array.from({ length: 40 }, () => draw.pick(latin)).join(' ')
const block = (draw: Draw, label: string) =>
  `-----BEGIN ${label}-----\n${Array.from({ length: 6 }, () => draw.text(base64, 64)).join('\n')}\n-----END ${label}-----`

const braced = (name: string) => `$${'{'}${name}}`

/** Names of secrets with a placeholder, a reference or nothing. */
const placeholders: readonly ((draw: Draw) => string)[] = [
  () => 'OPENAI_API_KEY=YOUR_API_KEY',
  () => 'export ANTHROPIC_API_KEY=sk-ant-...',
  () => 'api_key = os.getenv("OPENAI_API_KEY")',
  () => `password: ${braced('DB_PASSWORD')}`,
  () => 'const token = process.env.GITHUB_TOKEN ?? ""',
  () => 'Authorization: Bearer $TOKEN',
  () => 'curl -H "Authorization: Bearer <your-token>" https://api.example.com',
  () => `token: ${braced('{ secrets.DEPLOY_TOKEN }')}`,
  () => `DATABASE_URL=postgres://app:${braced('DB_PASS')}@db.internal:5432/app`,
  () => '{"apiKey":"sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}',
  () => 'PASSWORD=********',
  () => 'client_secret: [REDACTED]',
  () => '"password": null, "token": "", "secret": false',
  () => 'API_KEY=<insert key here>',
  () => 'op://vault/database/password is where the password lives',
  () => 'secretKeyRef:\n  name: db-credentials\n  key: password',
  () => 'STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
  () => 'token = "your-token-here"',
  () => 'AWS_SECRET_ACCESS_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  () => 'password = input("Password: ")',
  () => 'api_key="{{ vault_api_key }}"',
]

/** Prose, settings and code that speak of secrets and hold none. */
const mentions: readonly ((draw: Draw) => string)[] = [
  () => 'The password must be at least 12 characters and hold a digit.',
  () => 'max_tokens=4096, prompt_tokens: 1203, completion_tokens: 88',
  () => 'interface Login { password: string; token?: string }',
  () => 'I forgot my password, so the user reset it at https://example.com/reset.',
  () => 'tokenizer: cl100k_base\ntoken_limit: 8192\ntoken_type: Bearer',
  () => 'function check(password) { return hash(password) === stored.password }',
  () => 'The secret is to rest the dough overnight.',
  () => 'PRIMARY KEY (id), FOREIGN KEY (owner_id) REFERENCES users(id)',
  () => 'pass: 112, fail: 0, skipped: 3',
  () => 'pwd: /home/ana/projects/heirloom',
  () => 'const token = await getAccessToken(user.id)',
  () => 'if (!secret) throw new Error("secret is missing")',
  () => 'password_reset_at: 2026-02-11T10:00:00Z\npassword_expires_in_days: 90',
  () => 'secretName: db-credentials\nsecretType: Opaque',
  () => 'cache_key: "users:list:v2:page=3"\npartition_key: "tenant#42"',
  () => 'The user said their password manager is Bitwarden and that the token was revoked.',
  () => 'password: str = Field(..., min_length=8)',
  () => 'auth: oauth2\nauthor: Ana Lima\nauthority: https://login.example.com/common',
  () => 'Key facts: likes tea; passphrase policy: four words; PIN pad on the left door.',
  () => 'redis://cache.internal:6379/0 and postgres://localhost:5432/app need no login here',
  () => 'git@github.com:owner/repo.git and https://ana@git.example.com/app.git',
  () => 'for (const token of tokens) if (token.type === "string") out.push(token.value)',
  () => 'Das Passwort muss bis Freitag geändert werden; la contraseña caducó.',
  () => 'The wifi password is on the fridge.',
]

/** Long texts that look random, and words of the lists of recovery phrases. */
const noise: readonly ((draw: Draw) => string)[] = [
  (d) => `{"embedding":[${floats(d, 40)}]}`,
  (d) => lorem(d),
  (d) => words(d, 11),
  (d) => `Practice phrase: ${words(d, 12)}`,
  (d) => words(d, 24),
  (d) => block(d, 'PUBLIC KEY'),
  (d) => block(d, 'CERTIFICATE'),
  (d) => `${words(d, 30)}.`,
  (d) => words(d, 13),
  (d) =>
    `!function(e,t){var n=${d.integer(999)},r=e.${d.text('abc', 2)};for(;n--;)t[n]=r(n^${d.integer(99)})}(this,[]);`,
  (d) =>
    `{"mappings":"AAAA,${d.text('ABCDEFGHIJKLMNOPSU', 80)};${d.text('ACEGIKMO', 60)}","sources":["a.ts"]}`,
  (d) =>
    `{"type":"thinking","thinking":"First the dates.","signature":"Eq${d.text(base64, 300)}=="}`,
  (d) => `{"type":"reasoning","encrypted_content":"gAAAAABo${d.text(`${word}-_`, 400)}=="}`,
  (d) =>
    `{"channel_versions":{"messages":"00000000000000000000000000000007.0.${d.text(digits, 17)}"}}`,
  (d) =>
    `<path d="M${d.integer(90)}.${d.text(digits, 4)} 12.4c-1.2.8-2.${d.text(digits, 6)} 4.1z"/>`,
  (d) => `{"checkpoint":{"blob":"${d.text(base64, 240)}","type":"msgpack"}}`,
  (d) => block(d, 'PGP PUBLIC KEY BLOCK'),
  (d) => `The words on the list: ${words(d, 9)}; and then ${words(d, 7)}.`,
  (d) => `v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ${d.text(base64, 170)}IDAQAB`,
  (d) =>
    `integrity sha512-${d.text(base64, 86)}==\n  resolved https://registry.example.com/a/-/a-1.0.${d.integer(9)}.tgz`,
  (d) => `${block(d, 'SSH SIGNATURE')}`,
  () => 'The file starts with -----BEGIN RSA PRIVATE KEY----- and I did not open it.',
  (d) => `{"logprobs":[${floats(d, 12)}],"top_k":40}`,
]

/** Returns the tables whose thirds are drawn from. */
export const harmlessTexts = { placeholders, mentions, noise }

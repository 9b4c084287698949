import { english } from 'viem/accounts'
import { alphabets, type Draw } from './draw.ts'

const { base64, digits, lower, upper, word } = alphabets

const wordsOf = (of: Draw, count: number) => Array.from({ length: count }, () => of.pick(english))

/** Lines of memories that look like secrets and are none. */
export const harmlessLines: Readonly<Record<string, (draw: Draw) => string>> = {
  'message ids': (of) =>
    JSON.stringify(Array.from({ length: 12 + of.integer(180) }, (_, at) => `message-${at}`)),
  'tool ids': (of) =>
    JSON.stringify(Array.from({ length: 16 + of.integer(20) }, (_, at) => `tool-${at}`)),
  'tool ids with UUIDs': (of) =>
    JSON.stringify(Array.from({ length: 14 }, () => `tool-${of.uuid()}`)),
  steps: (of) =>
    `{"steps":${JSON.stringify(Array.from({ length: 12 }, (_, at) => `message-${at + of.integer(9)}`))}}`,
  'common words': (of) =>
    `tags: ${wordsOf(of, 12)
      .map((it) => `${it}-${of.integer(99)}`)
      .join(', ')}`,
  'one word again and again': (of) =>
    Array.from({ length: 24 }, () => of.pick(['tool', 'message']))
      .fill('tool')
      .join(' '),
  'test phrase': () => 'test test test test test test test test test test test junk',
  'phrase of zeros': () => `${'abandon '.repeat(11)}about`,
  'short list of words': (of) => wordsOf(of, 11).join(' '),
  'list of 13 words': () =>
    'city river garden forest ocean mountain desert island valley bridge castle tower market',
  UUID: (of) => `session ${of.uuid()} ended`,
  'tool call of OpenAI': (of) => `{"tool_call_id":"call_${of.text(word, 24)}","name":"search"}`,
  'tool call of Anthropic': (of) => `{"type":"tool_use","id":"toolu_01${of.text(word, 22)}"}`,
  'message of Anthropic': (of) => `msg_01${of.text(word, 22)}`,
  'response of OpenAI': (of) => `resp_${of.hex(24)}`,
  'thread of OpenAI': (of) =>
    `{"thread_id":"thread_${of.text(word, 24)}","run_id":"run_${of.text(word, 24)}"}`,
  commit: (of) => `merged ${of.hex(20)} into main`,
  'content hash': (of) => `{"contentHash":"0x${of.hex(32)}","tokenId":"7"}`,
  transaction: (of) => `the transaction 0x${of.hex(32)} of the wallet was mined`,
  'transaction of a wallet': (of) => `wallet_tx: 0x${of.hex(32)}`,
  'public key': (of) => `{"publicKey":"0x04${of.hex(64)}"}`,
  'public key of SSH': (of) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${of.text(base64, 43)} ada@laptop`,
  certificate: (of) =>
    `-----BEGIN CERTIFICATE-----\n${of.text(base64, 64)}\n-----END CERTIFICATE-----`,
  'public key in PEM': (of) =>
    `-----BEGIN PUBLIC KEY-----\n${of.text(base64, 64)}\n-----END PUBLIC KEY-----`,
  address: (of) => `my wallet: 0x${of.hex(20)}`,
  'address of Bitcoin': (of) => `send it to bc1q${of.text(alphabets.bech32, 38)}`,
  CID: (of) => `ipfs://bafybei${of.text('abcdefghijklmnopqrstuvwxyz234567', 52)}`,
  image: (of) => `data:image/png;base64,${of.text(base64, 400)}`,
  'checksum of a package': (of) => `"integrity": "sha512-${of.text(base64, 86)}=="`,
  'checksum of an archive': (of) => `sha256: ${of.hex(32)}`,
  ETag: (of) => `etag: "${of.hex(16)}"`,
  embedding: (of) => `[${Array.from({ length: 20 }, () => `0.0${of.text(digits, 15)}`).join(',')}]`,
  placeholder: (of) =>
    `OPENAI_API_KEY=${of.pick(['your-api-key-here', '<your key>', 'sk-...', 'sk-xxxxxxxxxxxxxxxxxxxxxxxx', 'YOUR_API_KEY', 'changeme', '...', 'REPLACE_ME', '***'])}`,
  'placeholder in JSON': (of) =>
    `{"apiKey":"${of.pick(['YOUR_API_KEY', '<API_KEY>', 'xxxxxxxxxxxxxxxxxxxx', '********', '[REDACTED]', 'your_key_here', '{{api_key}}'])}"}`,
  variable: (of) =>
    of.pick([
      'apiKey: process.env.OPENAI_API_KEY',
      'api_key=os.environ["EXA_API_KEY"]',
      `password: ${'$'}{{ secrets.DB_PASSWORD }}`,
      `DB_PASSWORD=${'$'}{DB_PASSWORD}`,
      'secret: !Ref MySecretName',
      'token = getToken(config.accessToken)',
    ]),
  schema: () => '{"password":{"type":"string","minLength":8},"api_key":{"type":"string"}}',
  type: (of) =>
    of.pick([
      'password: string',
      'apiKey?: string | undefined',
      'private_key: bytes32',
      'access_token: Optional[str] = None',
      'secret: SecretStr',
    ]),
  policy: (of) =>
    of.pick([
      'The password must have at least 12 characters.',
      'Passwords: never write them down.',
      'password: required',
      'Ask for the password before each deployment.',
      'The secret is that nobody knows.',
      'Her password is stored in the vault.',
      'The API key is in 1Password.',
      'the password is wrong again',
      'my password is not something I will tell you',
    ]),
  label: (of) =>
    of.pick([
      '{"password":"Passwort","secret":"Geheimnis"}',
      '{"label":"Password","hint":"Enter your password."}',
      '{"password":null,"secret":false}',
      '{"password":"","token":""}',
      '{"password_hint":"the name of my dog","secret_santa":"Robert"}',
    ]),
  'name of a secret': (of) =>
    of.pick([
      'secretName: prod/db/main',
      '{"secret_id":"projects/7/secrets/db"}',
      'api_key_id: 4711',
      'existingSecret: postgres-credentials',
      'secretKeyRef: database-main',
      'private_key_path: /etc/ssl/private/site.pem',
      'password_file: /run/secrets/db_password',
      'ssh_private_key_file=~/.ssh/id_ed25519',
    ]),
  'tokens counted': (of) =>
    `{"max_tokens":4096,"total_tokens":${of.integer(9999)},"prompt_tokens":12}`,
  'token of a text': (of) => `token: ${of.pick(['<eos>', '[CLS]', '</s>', 'hello'])}`,
  'token of a registry': (of) => `{"tokenId":"${of.integer(9999)}","token":"0x${of.hex(20)}"}`,
  'class of CSS': () => '<div class="sk-circle-fade-animation sk-three-bounce-animated">',
  'address of a page': (of) =>
    `https://example.com/articles/${of.text(lower, 24)}?page=${of.integer(9)}&utm_source=mail`,
  'address with a user': () => 'https://user:password@example.com/docs shows the form',
  'address of a sample database': () => 'postgres://postgres:postgres@localhost:5432/postgres',
  mail: (of) => `${of.text(lower, 9)}@example.com wrote at 12:30:45`,
  telephone: (of) => `+47 ${of.text(digits, 8)}, account ${of.text(digits, 11)}`,
  'licence of a product': (of) => `order ${of.text(upper, 8)}-${of.text(upper, 4)} was shipped`,
  date: () => '2026-11-22T12:34:56.789Z',
  model: (of) =>
    of.pick([
      'claude-sonnet-4-5-20250929',
      'gpt-5-mini-2025-08-07',
      'letta/letta-free',
      'text-embedding-3-large',
      'accounts/fireworks/models/llama-v3p1-405b-instruct',
    ]),
  'agent id': (of) =>
    `{"agent_id":"agent-${of.uuid()}","block_ids":["block-${of.uuid()}","block-${of.uuid()}"]}`,
  path: (of) => `/home/ada/.cache/pip/http-v2/${of.hex(1)}/${of.hex(28)}`,
  'image of a container': (of) => `docker.io/library/node@sha256:${of.hex(32)}`,
  version: () => 'node-v24.11.1-linux-x64, zstd 1.5.7-r0, libc 2.41',
  prose: (of) =>
    of.pick([
      'The user prefers short answers and asked about the password policy of the company.',
      'She keeps the secret of the recipe: nothing is written down.',
      'Tokens are counted at the end of each day; the key to success is patience.',
      'Remind him to rotate the private key of the server in March.',
      'Bearer bonds pay their bearer; a bearer of good news came by.',
      'Basic authorization is deprecated; see the documentation of the gateway.',
    ]),
  'prose of words': (of) => `I like ${wordsOf(of, 30).join(' the ')}.`,
  code: (of) =>
    of.pick([
      'if (password.length < 8) throw new Error("too short")',
      'const secret = await readSecret(name)',
      'def check_password(password: str) -> bool:',
      'assert hash(password) == stored_hash',
      'passwordField.addEventListener("input", onPasswordInput)',
      'PRIVATE_KEY_LENGTH = 32',
    ]),
  'digest of a password': (of) => `"password_hash":"0x${of.hex(32)}"`,
  nonce: (of) => `{"nonce":"${of.hex(16)}","salt":"0x${of.hex(32)}"}`,
  'base64 of a text': (of) =>
    `{"content":"${Buffer.from(`The user prefers ${of.text(lower, 60)}`).toString('base64')}"}`,
  'minified code': (of) =>
    `!function(e,t){var n=${of.integer(99)};e.exports=t(n)}(module,function(a){return a.key||a.secret||a.password});`,
}

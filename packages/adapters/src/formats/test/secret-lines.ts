import { entropyToMnemonic } from '@scure/bip39'
import { english } from 'viem/accounts'
import { alphabets, type Draw } from './draw.ts'

/** A line of a memory, and the secret in it. */
export type SecretLine = { readonly line: string; readonly secret: string }

const { base58, base64, bech32, digits, letters, lower, upper, word } = alphabets

/** Tokens that their own form reveals: the start, the alphabet and the length of the rest. */
const tokens: Readonly<Record<string, (draw: Draw) => string>> = {
  'OpenAI project key': (of) => `sk-proj-${of.text(`${word}_-`, 74)}T3BlbkFJ${of.text(word, 74)}`,
  'OpenAI key': (of) => `sk-${of.text(word, 20)}T3BlbkFJ${of.text(word, 20)}`,
  'Anthropic key': (of) => `sk-ant-api03-${of.text(`${word}_-`, 93)}AA`,
  'OpenRouter key': (of) => `sk-or-v1-${of.hex(32)}`,
  'Groq key': (of) => `gsk_${of.text(word, 52)}`,
  'xAI key': (of) => `xai-${of.text(word, 80)}`,
  'Perplexity key': (of) => `pplx-${of.text(word, 48)}`,
  'Replicate token': (of) => `r8_${of.text(word, 37)}`,
  'Tavily key': (of) => `tvly-dev-${of.text(word, 32)}`,
  'Firecrawl key': (of) => `fc-${of.hex(16)}`,
  'E2B key': (of) => `e2b_${of.hex(20)}`,
  'LangSmith key': (of) => `lsv2_pt_${of.hex(16)}_${of.hex(5)}`,
  'Mem0 key': (of) => `m0-${of.text(word, 40)}`,
  'Hugging Face token': (of) => `hf_${of.text(letters, 34)}`,
  'GitHub token': (of) => `ghp_${of.text(word, 36)}`,
  'GitHub fine-grained token': (of) => `github_pat_${of.text(word, 22)}_${of.text(word, 59)}`,
  'GitLab token': (of) => `glpat-${of.text(`${word}_-`, 20)}`,
  'AWS key id': (of) => `AKIA${of.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
  'Google key': (of) => `AIza${of.text(`${word}_-`, 35)}`,
  'Slack token': (of) => `xoxb-${of.text(digits, 12)}-${of.text(digits, 13)}-${of.text(word, 24)}`,
  'Slack app token': (of) => `xapp-1-A${of.text(upper, 10)}-${of.text(digits, 13)}-${of.hex(32)}`,
  'Stripe key': (of) => `sk_live_${of.text(word, 24)}`,
  'npm token': (of) => `npm_${of.text(word, 36)}`,
  'PyPI token': (of) => `pypi-AgEIcHlwaS5vcmc${of.text(`${word}_-`, 150)}`,
  'SendGrid key': (of) => `SG.${of.text(`${word}_-`, 22)}.${of.text(`${word}_-`, 43)}`,
  'Telegram token': (of) => `${of.text('123456789', 10)}:AA${of.text(`${word}_-`, 33)}`,
  'Discord token': (of) =>
    `MT${of.text(word, 24)}.G${of.text(word, 5)}.${of.text(`${word}_-`, 38)}`,
  'DigitalOcean token': (of) => `dop_v1_${of.hex(32)}`,
  'Notion token': (of) => `ntn_${of.text(digits, 11)}${of.text(word, 35)}`,
  'Linear key': (of) => `lin_api_${of.text(word, 40)}`,
  'Shopify token': (of) => `shpat_${of.hex(16)}`,
  'Vault token': (of) => `hvs.${of.text(`${word}_-`, 95)}`,
  'Postman key': (of) => `PMAK-${of.hex(12)}-${of.hex(17)}`,
  'Cloudflare key of today': (of) => `cfut_${of.text(word, 40)}${of.hex(4)}`,
  'Supabase key': (of) => `sb_secret_${of.text(`${word}_-`, 22)}_${of.text(word, 8)}`,
  'Figma token': (of) => `figd_${of.text(`${word}_-`, 40)}`,
  'JSON Web Token': (of) =>
    `eyJhbGciOiJIUzI1NiJ9.eyJ${of.text(word, 60)}.${of.text(`${word}_-`, 43)}`,
  'age key': (of) => `AGE-SECRET-KEY-1${of.text('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'extended private key': (of) => `xprv9${of.text(base58, 106)}`,
  'Nostr key': (of) => `nsec1${of.text(bech32, 58)}`,
}

/** Values that only the words around them reveal; `%` stands for the value. */
const contexts: Readonly<Record<string, readonly [string, (draw: Draw) => string]>> = {
  'password in JSON': ['{"user":"ada","password":"%"}', passwordOf],
  'password in YAML': ['password: %', passwordOf],
  'password in a shell': ['export DB_PASSWORD=%', passwordOf],
  'password in quotes': ["DB_PASSWORD='%'", passwordOf],
  'password said': ['The password of the router is %', passwordOf],
  'password said by a user': ['my password is "%", do not forget it', passwordOf],
  'passphrase in JSON': ['{"passphrase":"%"}', (of) => wordsOf(of, 5)],
  'password as an option': ['mysql -h db.internal -u root --password=%', passwordOf],
  'password of curl': ['curl -u admin:% https://build.example.com/job', passwordOf],
  'password of netrc': ['machine git.example.com login ada password %', passwordOf],
  'secret of AWS': ['aws_secret_access_key = %', (of) => of.text(base64, 40)],
  'secret of AWS in JSON': [
    '{"SecretAccessKey":"%","Region":"eu-west-1"}',
    (of) => of.text(base64, 40),
  ],
  'secret of a client': ['"client_secret": "%"', (of) => of.text(`${word}_-~.`, 34)],
  'API key in a header': ['curl -H "X-API-Key: %" https://api.example.com', (of) => of.hex(16)],
  'API key in a URL': ['GET /v1/weather?city=Oslo&api_key=%&units=si', (of) => of.hex(16)],
  'API key in camel case': ['{"apiKey":"%","model":"large"}', (of) => of.text(word, 32)],
  'API key in code': ["const client = new Client({ apiKey: '%' })", (of) => of.text(word, 40)],
  'API key in Python': ['client = Client(api_key="%")', (of) => of.text(word, 40)],
  'token of npmrc': ['//registry.example.com/:_authToken=%', (of) => of.uuid()],
  'token of access': ['"access_token": "%", "expires_in": 3600', (of) => of.text(word, 48)],
  'token of refreshing': ['refresh_token=%', (of) => of.text(`${word}_-`, 60)],
  'bearer token': ['Authorization: Bearer %', (of) => of.text(`${word}_-`, 40)],
  'basic authorization': ['Authorization: Basic %', basicOf],
  'database address': ['postgres://app:%@db.internal:5432/app', (of) => of.text(word, 16)],
  'address of Redis': ['redis://:%@cache.internal:6379/0', (of) => of.text(word, 20)],
  'git address': ['git clone https://ada:%@git.example.com/a.git', (of) => of.text(word, 20)],
  'Azure storage': [
    'DefaultEndpointsProtocol=https;AccountName=memories;AccountKey=%;EndpointSuffix=core.windows.net',
    (of) => `${of.text(base64, 86)}==`,
  ],
  'Slack webhook': [
    'https://hooks.slack.com/services/%',
    (of) => `T${of.text(upper, 8)}/B${of.text(upper, 8)}/${of.text(word, 24)}`,
  ],
  'Discord webhook': [
    'https://discord.com/api/webhooks/112233445566778899/%',
    (of) => of.text(`${word}_-`, 68),
  ],
  'private key of a wallet': ['PRIVATE_KEY=%', (of) => `0x${of.hex(32)}`],
  'private key said': ['The private key of my wallet is %', (of) => of.hex(32)],
  'private key in JSON': ['{"privateKey":"%"}', (of) => `0x${of.hex(32)}`],
  'Bitcoin key': ['imported the WIF % into the wallet', (of) => `K${of.text(base58, 51)}`],
  'JWK of a private key': [
    '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"%"}',
    (of) => of.text(`${word}_-`, 43),
  ],
  'WireGuard key': ['PrivateKey = %', (of) => `${of.text(base64, 43)}=`],
  'PEM key': ['%', pemOf],
  'recovery phrase': ['seed phrase: %', (of) => phraseOf(of, of.pick([12, 24]))],
  'recovery phrase of a user': ['keep this safe for me: %', (of) => phraseOf(of, 12)],
  'recovery phrase alone': ['%', (of) => phraseOf(of, of.pick([12, 15, 18, 21, 24]))],
  'encryption key': ['ENCRYPTION_KEY=%', (of) => of.hex(32)],
  'session secret': ['SESSION_SECRET="%"', (of) => of.text(word, 32)],
  'webhook secret': ['webhook_secret: %', (of) => `whsec_${of.text(base64, 32)}`],
  'token in an environment': [
    'TELEGRAM_BOT_TOKEN=%',
    (of) => `77${of.text(digits, 8)}:AA${of.text(word, 33)}`,
  ],
  'plain token in an environment': ['GITEA_TOKEN=%', (of) => of.hex(20)],
}

const sentences = [
  'Use % for the deployment.',
  'I put %, as you said.',
  '> echo %',
  'key: %',
  'ada said: here you go %',
  '%',
  '- `%` (expires in June)',
] as const

const within = (line: string, secret: string): SecretLine => ({
  line: line.replace('%', () => secret),
  secret,
})

/** The kinds of secrets, each with a line that holds it. */
export const secretLines: Readonly<Record<string, (draw: Draw) => SecretLine>> = {
  ...Object.fromEntries(
    Object.entries(tokens).map(([name, write]) => [
      name,
      (draw: Draw) => within(draw.pick(sentences), write(draw)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(contexts).map(([name, [line, write]]) => [
      name,
      (draw: Draw) => within(line, write(draw)),
    ]),
  ),
}

function passwordOf(of: Draw): string {
  return of.pick([
    () => `${of.pick(['Tiger', 'winter', 'Bergen', 'qwerty'])}${of.text(digits, 4)}!`,
    () => `${of.text(letters, 8)}${of.text(digits, 2)}`,
    () => of.text(`${word}!#%&*+-`, 16).replace(/.$/, '9'),
    () => `${of.text(lower, 5)}-${of.text(lower, 5)}-${of.text(digits, 3)}`,
  ])()
}

function basicOf(of: Draw): string {
  return Buffer.from(`ada:${passwordOf(of)}`).toString('base64')
}

function wordsOf(of: Draw, count: number): string {
  return Array.from({ length: count }, () => of.pick(english)).join('-')
}

function pemOf(of: Draw): string {
  const kind = of.pick(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY'])
  const lines = Array.from({ length: 3 + of.integer(10) }, () => of.text(base64, 64))
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n')
}

/** Returns a recovery phrase with its checksum (BIP-39). */
export function phraseOf(of: Draw, count: number): string {
  const bits = (count * 11 * 32) / 33
  return entropyToMnemonic(Buffer.from(of.hex(bits / 8), 'hex'), english)
}

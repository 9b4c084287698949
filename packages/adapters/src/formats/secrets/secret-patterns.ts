import { isPlaceholder } from './placeholder.ts'
import type { Secret } from './secret.ts'

/**
 * A pattern of secrets. The secret is the group at the end of the match, or else the whole match.
 */
type Pattern = {
  readonly kind: string
  readonly pattern: RegExp
  readonly accepts?: (secret: string, whole: string) => boolean
}

const isReal = (secret: string) => !isPlaceholder(secret)
const hasDigit = (secret: string) => /\d/.test(secret) && isReal(secret)
const password = 'a password or key'

/** Matches the end of names of secrets: `openai_api_key`, `awsSecretAccessKey`. */
export const secretName =
  'password|passwd|passphrase|secret|(?:api|access|private|encryption|signing)[_-]?key|(?:access|auth|refresh|bot|session)[_-]?token'

const tokens: readonly Pattern[] = [
  { kind: 'a JSON Web Token', pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: 'a key of an AI provider',
    pattern:
      /\b(?:sk-(?:proj-|ant-|or-)?|gsk_|xai-|pplx-|lsv2_[a-z]{2}_|m0-|r8_|tvly-|e2b_|nvapi-|jina_)[\w-]{20,}/g,
    accepts: hasDigit,
  },
  { kind: 'a key of an AI provider', pattern: /\bfc-[0-9a-f]{32}\b/g },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/g },
  { kind: 'a GitLab token', pattern: /\bglpat-[\w-]{20,}/g },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'a Google API key', pattern: /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/g },
  { kind: 'a Slack token', pattern: /\b(?:xox[abeprs]|xapp)-[\w-]{10,}/g },
  { kind: 'a Slack webhook', pattern: /\bhooks\.slack\.com\/services\/([\w/]{20,})/g },
  { kind: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_\w{16,}/g },
  { kind: 'an npm token', pattern: /\bnpm_\w{36}\b/g },
  { kind: 'a Hugging Face token', pattern: /\bhf_\w{30,}/g },
  { kind: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'a Telegram bot token', pattern: /\b\d{8,10}:[\w-]{35}(?![\w-])/g },
  { kind: 'a Discord token', pattern: /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g },
  {
    kind: 'a Discord webhook',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/([\w-]{60,})/g,
  },
  { kind: 'a token of a service', pattern: serviceTokens() },
  { kind: 'a webhook secret', pattern: /\bwhsec_[\w+/-]{24,}={0,2}/g },
  { kind: 'a Nostr secret key', pattern: /\bnsec1[02-9ac-hj-np-z]{58}\b/g },
  {
    kind: 'a Bitcoin private key',
    pattern: /\b(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})\b/g,
    accepts: (secret) => [/\d/, /[A-Z]/, /[a-z]/].every((it) => it.test(secret)),
  },
  { kind: 'an extended private key', pattern: /\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,}/g },
  { kind: 'an age secret key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g },
]

const contexts: readonly Pattern[] = [
  {
    kind: 'credentials in an address',
    pattern: /\b[a-z][a-z+]{1,20}:\/\/[^\s/:@"]{0,100}:([^\s/@"]{3,200})(?=@)/gi,
    // Where a password repeats the user's name it is the default of a program.
    accepts: (secret, whole) => isReal(secret) && !whole.endsWith(`/${secret}:${secret}`),
  },
  {
    kind: 'credentials in an address',
    pattern: /\b(?:AccountKey|SharedAccessKey)=([\w+/]{40,}={0,2})/g,
  },
  {
    kind: 'credentials of a command',
    pattern: /\bcurl\b[^\n]{0,200}?\s-u\s{0,4}\\*["']?[^\s:"']{1,100}:([^\s"'\\]{4,200})/g,
    accepts: isReal,
  },
  {
    kind: 'credentials of a command',
    pattern:
      /\bmachine\s{1,4}\S{1,100}\s{1,4}login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}([^\s"'\\]{4,200})/g,
    accepts: isReal,
  },
  {
    kind: 'basic authorization',
    pattern: /\bbasic\s{1,4}([\w+/]{8,400}={0,2})/gi,
    accepts: hasCredentials,
  },
  {
    kind: 'a private key as JSON (JWK)',
    pattern: /"d\\*"\s{0,4}:\s{0,4}\\*"([\w-]{42,400})(?=\\*")/g,
    accepts: hasDigit,
  },
  {
    kind: 'a bearer token',
    pattern: /\bbearer\s{1,4}([\w.~+/=-]{16,})/gi,
    accepts: hasDigit,
  },
  {
    kind: 'a private key (64 hexadecimal digits)',
    pattern:
      /(?:priv|secret|seed|wallet|signer)[\w .-]{0,24}\\*["']?\s{0,4}(?:[:=]|\bis\b)\s{0,4}\\*["'`]?((?:0x)?[0-9a-f]{64})\b/gi,
    // The name of a hash, address or id may also contain `wallet`.
    accepts: (secret, whole) =>
      !/hash|tx|transaction|root|digest|checksum|commit|pub|address|account/i.test(
        whole.slice(0, -secret.length),
      ),
  },
  { kind: password, pattern: assignment(`\\\\*"([^"\\s]{6,200}?)(?=\\\\*")`), accepts: isReal },
  { kind: password, pattern: assignment(`'([^'"\\s]{6,200})(?=')`), accepts: isReal },
  // Unquoted, as in a shell or YAML. Without a digit it may be a word of a sentence.
  {
    kind: password,
    pattern: new RegExp(
      `(?:${secretName})(?:[ \\t]{0,2}=[ \\t]{0,2}|:[ \\t]+)((?:[^\\s"'\`,;<>(){}\\[\\]\\\\&]|&(?!\\w+=)){6,200})(?!\\w*[(\\[])`,
      'gi',
    ),
    accepts: hasDigit,
  },
  // A variable of the environment.
  {
    kind: password,
    pattern: /\b[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|KEY|PASS|PWD)=([\w+/.~-]{12,200}={0,2})/g,
    accepts: (secret, whole) => isRandom(secret) && !/^PUB|_PUB/.test(whole),
  },
  // A sentence, such as a user's to an agent.
  {
    kind: password,
    pattern:
      /\b(?:password|passphrase|passcode)\b[^.\n"\\]{0,40}?\b(?:is|was|to)[ \t]{1,2}\\*["'`]?([^\s"'`,;\\]{5,199}[^\s"'`,;.:?\\])/gi,
    accepts: hasDigit,
  },
]

/** Matches tokens of services that begin with a name of their own. */
function serviceTokens(): RegExp {
  const forms = [
    'cf(?:ut|k|at)_\\w{40,}',
    'do[opr]_v1_[0-9a-f]{64}',
    'fig[dou]_[\\w-]{40,}',
    'hv[bsr]\\.[\\w-]{24,}',
    'lin_(?:api|oauth)_\\w{32,}',
    'ntn_\\w{40,}',
    'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
    'pypi-[\\w-]{50,}',
    'sb_secret_[\\w-]{20,}',
    'sbp_[0-9a-f]{40}',
    'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  ]
  return new RegExp(`\\b(?:${forms.join('|')})`, 'g')
}

/** Returns whether a text is the base64 of a user's name and a password (RFC 7617). */
function hasCredentials(text: string): boolean {
  try {
    return /^[\x20-\x7e]{1,100}:[\x20-\x7e]{3,}$/.test(atob(text))
  } catch {
    return false
  }
}

/** Returns whether letters and digits are mixed as in a generated value, not as in a path or a name. */
function isRandom(text: string): boolean {
  return (
    /[a-z]/i.test(text) && /\d/.test(text) && !/^[/.~]|:\/\/|\.\w{2,4}$/.test(text) && isReal(text)
  )
}

function assignment(value: string): RegExp {
  return new RegExp(`(?:${secretName})\\\\*["']?\\s{0,4}[:=]\\s{0,4}${value}`, 'gi')
}

/** The kinds of secrets that have a pattern. */
export const patternKinds: readonly string[] = [
  ...new Set([...tokens, ...contexts].map(({ kind }) => kind)),
]

/** Finds the secrets in a text that match a pattern. */
export function findPatternSecrets(text: string): readonly Secret[] {
  return [...tokens, ...contexts].flatMap((it) => findMatches(text, it))
}

function findMatches(
  text: string,
  { kind, pattern, accepts = isReal }: Pattern,
): readonly Secret[] {
  return [...text.matchAll(pattern)].flatMap((match): readonly Secret[] => {
    const [whole, secret = whole] = match
    const end = match.index + whole.length
    if (!accepts(secret, whole)) return []
    return [{ kind, text: secret, parts: [[end - secret.length, end]] }]
  })
}

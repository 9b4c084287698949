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
  'password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|bot[_-]?token|private[_-]?key'

const tokens: readonly Pattern[] = [
  { kind: 'a JSON Web Token', pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: 'a key of an AI provider',
    pattern: /\b(?:sk-(?:proj-|ant-|or-)?|gsk_|xai-|pplx-|lsv2_[a-z]{2}_|m0-)[\w-]{20,}/g,
    accepts: hasDigit,
  },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/g },
  { kind: 'a GitLab token', pattern: /\bglpat-[\w-]{20,}/g },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'a Google API key', pattern: /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/g },
  { kind: 'a Slack token', pattern: /\bxox[abeprs]-[\w-]{10,}/g },
  { kind: 'a Slack webhook', pattern: /\bhooks\.slack\.com\/services\/([\w/]{20,})/g },
  { kind: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_\w{16,}/g },
  { kind: 'an npm token', pattern: /\bnpm_\w{36}\b/g },
  { kind: 'a Hugging Face token', pattern: /\bhf_\w{30,}/g },
  { kind: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'a Telegram bot token', pattern: /\b\d{8,10}:[\w-]{35}\b/g },
  { kind: 'an extended private key', pattern: /\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,}/g },
  { kind: 'an age secret key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g },
]

const contexts: readonly Pattern[] = [
  {
    kind: 'credentials in an address',
    pattern: /\b[a-z][a-z+]{1,20}:\/\/[^\s/:@"]{0,100}:([^\s/@"]{3,200})(?=@)/gi,
    accepts: isReal,
  },
  {
    kind: 'a bearer token',
    pattern: /\bbearer\s{1,4}([\w.~+/=-]{16,})/gi,
    accepts: hasDigit,
  },
  {
    kind: 'a private key (64 hexadecimal digits)',
    pattern:
      /(?:priv|secret|seed|wallet|signer)[\w .-]{0,24}\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?((?:0x)?[0-9a-f]{64})\b/gi,
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
      `(?:${secretName})(?:=|:[ \\t]+)([^\\s"'\`,;<>(){}\\[\\]\\\\]{6,200})`,
      'gi',
    ),
    accepts: hasDigit,
  },
]

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

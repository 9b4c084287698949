import { namePatterns } from './name-patterns.ts'
import { findMatches, hasCredentials, hasDigit, isRandom, isReal, type Pattern } from './pattern.ts'
import type { Secret } from './secret.ts'
import { sentencePatterns } from './sentence-patterns.ts'
import { serviceTokens } from './service-tokens.ts'

const tokens: readonly Pattern[] = [
  { kind: 'a JSON Web Token', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: 'an AI provider key',
    pattern:
      /\b(?:sk-(?:proj-|ant-|or-)?|gsk_|xai-|pplx-|lsv2_[a-z]{2}_|m0-|r8_|tvly-|e2b_|nvapi-|jina_)[\w-]{20,}/g,
    accepts: hasDigit,
  },
  { kind: 'an AI provider key', pattern: /\bf(?:c-[0-9a-f]{32}|w_[A-Za-z0-9]{22,24})\b/g },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/g },
  {
    kind: 'a GitLab token',
    pattern: /\bgl(?:pat|ptt|rt|dt|ft|cbt|soat|oas|agent|imt|ffct)-[\w-]{20,}(?:\.[0-9a-z]{9}\b)?/g,
  },
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
  { kind: 'a token of a service', pattern: serviceTokens },
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
    pattern: /\b[a-z][a-z+]{1,20}:\/\/[^\s/:@"]{0,100}:([^\s/@"]{3,4096})(?=@)/gi,
    // Where a password repeats the user's name it is the default of a program.
    accepts: (secret, whole) => isReal(secret) && !whole.endsWith(`/${secret}:${secret}`),
  },
  {
    kind: 'credentials in an address',
    pattern: /\b(?:AccountKey|SharedAccessKey)=([\w+/]{40,}={0,2})/g,
  },
  {
    kind: 'credentials of a command',
    pattern: /\bcurl\b[^\n]{0,200}?\s-u\s{0,4}\\*["']?[^\s:"']{1,100}:([^\s"'\\]{4,4096})/g,
    accepts: isReal,
  },
  {
    kind: 'credentials of a command',
    pattern:
      /\bmachine\s{1,4}\S{1,100}\s{1,4}login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}([^\s"'\\]{4,4096})/g,
    accepts: isReal,
  },
  {
    kind: 'basic authorization',
    pattern: /\bbasic\s{1,4}([\w+/]{8,8192}={0,2})/gi,
    accepts: hasCredentials,
  },
  {
    kind: 'a private key as JSON (JWK)',
    pattern: /"d\\*"\s{0,4}:\s{0,4}\\*"([\w-]{42,8192})(?=\\*")/g,
    accepts: hasDigit,
  },
  {
    kind: 'a private key as JSON (JWK)',
    // The primes of RSA, and what follows from them: each alone gives the key away.
    pattern: /"(?:[pqrt]|d[pq]|qi)\\*"\s{0,4}:\s{0,4}\\*"([\w-]{80,8192})(?=\\*")/g,
    accepts: isRandom,
  },
  {
    kind: 'a private key as JSON (JWK)',
    pattern:
      /"k\\*"\s{0,4}:\s{0,4}\\*"([\w-]{16,8192})(?=\\*"[^{}]{0,400}"kty\\*"\s{0,4}:\s{0,4}\\*"oct\b)/g,
    accepts: isReal,
  },
  {
    kind: 'a private key as JSON (JWK)',
    pattern:
      /"kty\\*"\s{0,4}:\s{0,4}\\*"oct\\*"[^{}]{0,400}?"k\\*"\s{0,4}:\s{0,4}\\*"([\w-]{16,8192})(?=\\*")/g,
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
      /(?:priv|secret|seed|wallet|signer)[\w .-]{0,24}\\*["']?\s{0,4}(?:[:=]|\bis\b)\s{0,4}\\*["'`]?((?:0x)?[0-9a-f]{64})\b/gi,
    // The name of a hash, address or id may also contain `wallet`.
    accepts: (secret, whole) =>
      !/hash|tx|transaction|root|digest|checksum|commit|pub|address|account/i.test(
        whole.slice(0, -secret.length),
      ),
  },
  {
    kind: 'credentials of a command',
    pattern:
      /\b(?:sshpass\s+-p\s{0,4}|docker\s+login\b[^\n]{0,200}?\s-p\s{1,4}|(?:mysql\w*|mariadb)\b[^\n]{0,200}?\s-p)["']?([^\s"'\\-][^\s"'\\]{3,4095})/g,
    accepts: isReal,
  },
  {
    kind: 'credentials in a configuration of Docker',
    pattern: /"auth"\s{0,4}:\s{0,4}"([\w+/]{8,8192}={0,2})(?=")/g,
    accepts: hasCredentials,
  },
  {
    kind: 'a key in an address',
    pattern:
      /\b(?:alchemy(?:api)?\.(?:com|io)\/v2\/|infura\.io\/(?:ws\/)?v3\/|quiknode\.pro\/|blob\.core\.windows\.net\/[^\s"']{0,300}[?&]sig=)([\w%+/-]{32,200}=?)/g,
    accepts: hasDigit,
  },
  {
    kind: 'a private key (64 hexadecimal digits)',
    pattern:
      /(?:\bnew (?:\w+\.)?Wallet\(|\bprivateKeyTo\w+\(|\bfrom_?(?:private_?)?key\(|\baccounts["']?\s{0,4}[:=]\s{0,4}\[)\s{0,20}["'`]((?:0x)?[0-9a-f]{64})\b/gi,
  },
  {
    kind: 'a private key (64 hexadecimal digits)',
    pattern: /--(?:private-key|secret-key)[ =]["']?((?:0x)?[0-9a-f]{64})\b/gi,
  },
  ...namePatterns,
  ...sentencePatterns,
]

/** The kinds of secrets that have a pattern. */
export const patternKinds: readonly string[] = [
  ...new Set([...tokens, ...contexts].map(({ kind }) => kind)),
]

/** Finds the secrets in a text that match a pattern. */
export function findPatternSecrets(text: string): readonly Secret[] {
  return [...tokens, ...contexts].flatMap((it) => findMatches(text, it))
}

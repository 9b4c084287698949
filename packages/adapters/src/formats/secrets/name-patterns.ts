import { hasDigit, isRandom, isReal, type Pattern, password } from './pattern.ts'

/** Matches the end of names of secrets: `openai_api_key`, `awsSecretAccessKey`. */
export const secretName =
  'password|passwd|passphrase|secret|(?:api|access|private|encryption|signing|master|secret|storage[_.-]?account)[ _.-]?key|(?:access|api|auth|refresh|bot|session)[_.-]?token|[_-]pass|secret[_.-]?key[_.-]?base'

/** The texts between a name and its value in code and configuration, besides `=` and `:`. */
const joins = [
  // An index, `env["NAME"] = `; a pair, `'name' => ` and `define('NAME', `; an option of a test.
  `["']\\][ \\t]{0,4}[:=][ \\t]{0,4}`,
  `["'][ \\t]{0,4}(?:=>|,)[ \\t]{0,4}`,
  // A member `value` beside the member `name`, in XML, JSON and YAML.
  `["'][ \\t]{1,4}value[ \\t]{0,4}=[ \\t]{0,4}`,
  `["'],\\s{0,60}["']value["'][ \\t]{0,4}:[ \\t]{0,4}`,
  `["']?[ \\t]{0,4}\\r?\\n[ \\t]{0,40}value:[ \\t]{0,4}`,
].join('|')

const quoted = `(?:"(?=[^"\\s]{6,4096}")|'(?=[^'\\s]{6,4096}'))([^"'\\s\\\\]{6,4096})`

/** Names that may be of a secret: `VERCEL_TOKEN`, `datadog-key`, `linearToken`. */
const perhapsName =
  '(?:\\b[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|KEY|PASS|PWD)|\\b[a-z][a-z0-9_-]{0,60}[_-](?:token|key|pwd)|\\b[a-z][A-Za-z0-9]{0,60}(?:Token|Key|Pwd))'

/** Keys and tokens that are public, or that name a place or a row. */
const publicName =
  /pub|cache|idempot|partition|sort|primary|foreign|page|next|prev|cursor|continu|sync|hash|host|group|object|row|dedup|rout|lookup|site|translat|i18n|message|event|record|project|issue|index|parent|storage_key|anon|measure/i

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/i

/** Returns whether a value under a name that may be of a secret is generated. */
function isGenerated(secret: string, whole: string): boolean {
  const name = whole.slice(0, -secret.length)
  if (publicName.test(name) || !isRandom(secret)) return false
  // A lower-case name is often of a place or a row, and its value a path or an identifier.
  if (/[A-Z]_(?:TOKEN|KEY|PASS|PWD)/.test(name)) return !/[:]/.test(secret)
  return !uuid.test(secret) && (/^[0-9a-f]{32,}$/i.test(secret) || isMixed(secret))
}

const isMixed = (text: string) => [/[a-z]/, /[A-Z]/, /\d/].every((it) => it.test(text))

const assignment = (value: string) =>
  new RegExp(`(?:${secretName})\\\\*["']?\\s{0,4}[:=]\\s{0,4}${value}`, 'gi')

/** Values under the name of a secret, as code, configuration and commands write them. */
export const namePatterns: readonly Pattern[] = [
  { kind: password, pattern: assignment(`\\\\*"([^"\\s]{6,4096}?)(?=\\\\*")`), accepts: isReal },
  { kind: password, pattern: assignment(`'([^'"\\s]{6,4096})(?=')`), accepts: isReal },
  // Unquoted, as in a shell or YAML. Without a digit it may be a word of a sentence.
  {
    kind: password,
    pattern: new RegExp(
      `(?:${secretName})(?:[ \\t]{0,2}=[ \\t]{0,2}|:[ \\t]+)((?:[^\\s"'\`,;<>(){}\\[\\]\\\\&]|&(?!\\w+=)){6,4096})(?!\\w*[(\\[])`,
      'gi',
    ),
    accepts: hasDigit,
    isOpen: true,
  },
  {
    kind: password,
    pattern: new RegExp(`(?:${secretName})(?:${joins})${quoted}`, 'gi'),
    accepts: hasDigit,
  },
  {
    kind: password,
    pattern: new RegExp(`${perhapsName}(?:["']?[ \\t]{0,4}[:=][ \\t]{0,4}|${joins})${quoted}`, 'g'),
    accepts: isGenerated,
  },
  {
    kind: password,
    pattern: new RegExp(`${perhapsName}(?:=|:[ \\t]+| = )([\\w+/.~^!#%*?@-]{12,4096}={0,2})`, 'g'),
    accepts: isGenerated,
    isOpen: true,
  },
  // The text of an element, and an option of a command.
  {
    kind: password,
    pattern: new RegExp(`<[\\w.:-]{0,60}(?:${secretName})>([^<>\\s]{6,4096})(?=</)`, 'gi'),
    accepts: isReal,
  },
  {
    kind: password,
    pattern: new RegExp(
      `(?<![\\w-])--?[\\w-]{0,60}?(?:${secretName})[ \\t]{1,4}["']?([^\\s"'\`\\\\$<-][^\\s"'\`\\\\]{5,4095})`,
      'gi',
    ),
    accepts: hasDigit,
    isOpen: true,
  },
  {
    kind: password,
    pattern: /(?<![\w-])--[\w-]{0,60}?(?:token|key|pwd|pass)[ =]["']?([\w+/.~-]{12,4096}={0,2})/g,
    accepts: isGenerated,
    isOpen: true,
  },
]

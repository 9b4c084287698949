import { hasDigit, isRandom, type Pattern, password } from './pattern.ts'

/** The word for a password in the languages that most people write. */
export const passwordWord =
  'passwords?|passphrase|passcode|pass code|pwd?|passwort|kennwort|contraseña|clave|mot de passe|senha|wachtwoord|lösenord|adgangskode|passord|hasło|heslo|parola|şifre|salasana|пароль|密码|密碼|口令|パスワード|비밀번호'

const before = '(?<![\\p{L}\\d_])'
const after = '(?![\\p{Script=Latin}\\d_])'
const quotes = '["\'`“„«*]'
const value = '([^\\s"\'`,;|\\\\“”„«»<>(){}]{4,199}[^\\s"\'`,;|.:?\\\\“”„«»<>(){}])'

/** Verbs and signs that give a password: `is`, `lautet`, `->`. */
const gives =
  '(?:(?<!\\p{L})(?:is|was|to|ist|lautet|war|es|era|est|était|è|é|är|er|jest|je|on)[ \\t]{1,2}|[はは是为為은는][ \\t]{0,2}|(?:->|=>|[:=→：])[ \\t]{0,2})'

const rule = /\b(?:must|should|at least|minimum|policy)\b/i
const algorithm = /^(?:sha|argon|[bs]crypt|pbkdf|base|utf|oauth|https?|v\d)/i

/** Returns whether a word is a password: letters and digits, and no date, path or algorithm. */
function isPassword(secret: string, whole: string): boolean {
  if (rule.test(whole.slice(0, -secret.length)) || algorithm.test(secret)) return false
  if (/^[/.~$%-]|:\/\/|^\d{2,4}[-/.]\d/.test(secret)) return false
  return /\p{L}/u.test(secret) && hasDigit(secret)
}

/** Secrets that a sentence or a note tells, such as a user's to an agent. */
export const sentencePatterns: readonly Pattern[] = [
  {
    kind: password,
    pattern: new RegExp(
      `${before}(?:${passwordWord})${after}[^.\\n"\\\\|]{0,40}?${gives}(?:${quotes}|[ \\t]){0,6}${value}`,
      'giu',
    ),
    accepts: isPassword,
    isOpen: true,
  },
  {
    kind: password,
    pattern: new RegExp(
      `${before}(?:${passwordWord})${after}(?:${quotes}|[ \\t]){1,4}${value}`,
      'giu',
    ),
    accepts: (secret, whole) => secret.length >= 8 && isPassword(secret, whole),
    isOpen: true,
  },
  {
    kind: password,
    pattern: new RegExp(`${before}(?:pass|pin code)[ \\t]{0,2}[:=][ \\t]{0,2}${value}`, 'giu'),
    accepts: isPassword,
    isOpen: true,
  },
  {
    kind: password,
    pattern:
      /\b(?:(?:api|access|secret|license) key|token)\b[^.\n"\\|]{0,40}?(?<!\w)(?:is|was|to|:)[ \t]{1,2}["'`*]{0,3}([\w+/.~-]{20,4096}={0,2})/gi,
    accepts: isRandom,
    isOpen: true,
  },
]

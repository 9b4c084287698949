import { alphabets, type Draw } from '../draw.ts'
import type { Place } from './key-places.ts'

const { digits, letters, lower, word } = alphabets
const strong = `${word}!#%^*-_+=?@`

/** Values that only their name shows to be secret. */
const values: readonly ((draw: Draw) => string)[] = [
  (d) => `${d.text(letters, 4)}7${d.text(strong, 10)}x`,
  (d) => d.hex(16),
  (d) => `${d.pick(['Summer', 'Kestrel', 'Bamberg', 'Oslo'])}${d.text(digits, 4)}!`,
  (d) => d.text(word, 32),
  (d) => `${d.text(alphabets.base64, 42)}8=`,
  (d) => d.hex(32),
  (d) => `${d.text(word, 39)}4`,
  (d) =>
    `${d.pick(['purple', 'quiet', 'rusty'])}-harbor-${d.pick(['otter', 'violin'])}-${d.text(digits, 2)}`,
  (d) => `${d.text(lower, 19)}5`,
]

/** Names of values that are secret. */
const names: readonly string[] = [
  'DB_PASSWORD',
  'API_KEY',
  'JWT_SECRET',
  'POSTGRES_PASSWORD',
  'CLIENT_SECRET',
  'TWILIO_AUTH_TOKEN',
  'SESSION_SECRET',
  'COHERE_API_KEY',
  'SECRET_KEY_BASE',
  'ENCRYPTION_KEY',
  'SMTP_PASS',
  'MYSQL_ROOT_PASSWORD',
  'REDIS_PASSWORD',
  'ACCESS_TOKEN',
  'REFRESH_TOKEN',
  'WEBHOOK_SECRET',
  'DATADOG_API_KEY',
  'DJANGO_SECRET_KEY',
  'CLOUDFLARE_API_TOKEN',
  'AZURE_CLIENT_SECRET',
  'PGPASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'MASTER_KEY',
  'SIGNING_KEY',
  'MISTRAL_API_KEY',
  'VERCEL_TOKEN',
  'BACKUP_PASSPHRASE',
  'ADMIN_PASSWORD',
  'AUTH_TOKEN',
  'OKTA_API_TOKEN',
  'STORAGE_ACCOUNT_KEY',
  'PRIVATE_KEY',
  'LDAP_BIND_PASSWORD',
]

const camel = (name: string) =>
  name.toLowerCase().replace(/_(.)/g, (_, first) => first.toUpperCase())
const dotted = (name: string) => name.toLowerCase().replaceAll('_', '.')

/** The spellings of a name and its value in files and code. */
const spellings: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `NODE_ENV=production\n${name}=${value}\nPORT=8080`,
  (name, value) => `export ${name}="${value}"`,
  (name, value) => `{ "host": "db.internal", "${camel(name)}": "${value}", "port": 5432 }`,
  (name, value) => `database:\n  host: db.internal\n  ${name.toLowerCase()}: ${value}\n  pool: 5`,
  (name, value) => `[app]\n${name.toLowerCase()} = "${value}"\nworkers = 4`,
  (name, value) => `const ${camel(name)} = '${value}';`,
  (name, value) => `os.environ["${name}"] = "${value}"`,
  (name, value) => `docker run -d -e ${name}=${value} -p 5432:5432 postgres:16`,
  (name, value) => `spring.${dotted(name)}=${value}`,
  (name, value) => `<add key="${camel(name)}" value="${value}" />`,
  (name, value) => `define('${name}', '${value}');`,
  (name, value) => `kubectl create secret generic app --from-literal=${name}=${value}`,
  (name, value) => `env:\n  - name: ${name}\n    value: "${value}"`,
  (name, value) => `'${name.toLowerCase()}' => '${value}',`,
  (name, value) => `<${camel(name)}>${value}</${camel(name)}>`,
  (name, value) =>
    `deploy --region eu-1 --${name.toLowerCase().replaceAll('_', '-')} ${value} --yes`,
  (name, value) => `set ${name}=${value}\r\nstart.bat`,
  (name, value) => `$env:${name} = "${value}"`,
]

/** Returns the tables whose thirds are drawn from. */
export const namedValues = { values, names, spellings }

/** Values that people write as passwords. */
export const passwords: readonly ((draw: Draw) => string)[] = [
  (d) => `${d.pick(['Summer', 'Welcome', 'Kestrel'])}${d.text(digits, 4)}!`,
  (d) => `${d.text(letters, 5)}#${d.text(word, 5)}9`,
  (d) => `${d.pick(['Tr0ub4dor', 'P4ssage', 'Z3bra'])}&${d.text(digits, 2)}`,
  (d) => `${d.text(lower, 9)}7`,
  (d) => `${d.text(letters, 6)}${d.text(digits, 4)}`,
  (d) => `${d.text(strong, 13)}4k`,
]

/** Sentences and notes with a password. */
export const passwordNotes: readonly Place[] = [
  (value) => `The wifi password is ${value}.`,
  (value) => `My password for the router is "${value}", change it next month.`,
  (value) => `login: admin / password: ${value}`,
  (value) => `Username: maria\nPassword: ${value}\nURL: https://intranet.example`,
  (value) => `Use the password ${value} for the staging server.`,
  (value) => `root password -> ${value}`,
  (value) => `User's bank passcode is ${value} (asked me to remember).`,
  (value) => `Password (staging): ${value}`,
  (value) => `pw: ${value}`,
  (value) => `Das Passwort lautet ${value}`,
  (value) => `La contraseña es ${value} y no la cambies.`,
  (value) => `Mot de passe : ${value}`,
  (value) => `| system | user | password |\n|---|---|---|\n| NAS | tom | ${value} |`,
  (value) => `- **Password:** \`${value}\``,
  (value) => `he set his password to ${value} last week`,
]

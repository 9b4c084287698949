import { alphabets, type Draw } from '../draw.ts'
import { secret } from './marks.ts'
import { drawToken } from './provider-keys.ts'

const { base64, lower, word } = alphabets
const wordy = (draw: Draw, length: number) => `${draw.text(word, length - 2)}5q`

/** Returns lines of base64, as PEM (RFC 7468) breaks them. */
function lines(draw: Draw, count: number, first: string): string {
  const rest = Array.from({ length: count }, () => draw.text(base64, 64))
  return [
    `${first}${draw.text(base64, 64 - first.length)}`,
    ...rest,
    `${draw.text(base64, 30)}==`,
  ].join('\n')
}

/** Returns a private key in PEM; the lines around it may vanish with it. */
function pem(draw: Draw, label: string, count: number, first: string): string {
  return secret(lines(draw, count, first), `-----BEGIN ${label}-----\n`, `\n-----END ${label}-----`)
}

const basic = (draw: Draw) => Buffer.from(`api:${wordy(draw, 20)}`).toString('base64')
const password = (draw: Draw) => wordy(draw, 8 + draw.integer(12))

/** Secrets that the structure around them shows, with that structure. */
export const structuredSecrets: readonly ((draw: Draw) => string)[] = [
  (d) => pem(d, 'RSA PRIVATE KEY', 23, 'MIIEpAIBAAKCAQEA'),
  (d) => `DATABASE_URL=${secret(password(d), 'postgres://app:', '@db.internal:5432/app')}`,
  (d) => `Authorization: Bearer ${secret(drawToken(d))}`,
  (d) => pem(d, 'PRIVATE KEY', 23, 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'),
  (d) => `see ${secret(password(d), 'mongodb+srv://root:', '@cluster0.abcde.mongodb.net/test')}`,
  (d) => `const jwt = '${secret(drawToken(d))}'`,
  (d) => pem(d, 'OPENSSH PRIVATE KEY', 5, 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ'),
  (d) => `redis: ${secret(password(d), 'redis://:', '@cache.internal:6379/0')}`,
  (d) => `The session cookie was ${secret(drawToken(d))} yesterday.`,
  (d) => pem(d, 'EC PRIVATE KEY', 2, 'MHcCAQEEI'),
  (d) => `git clone ${secret(password(d), 'https://deploy:', '@git.example.com/team/app.git')}`,
  (d) => pem(d, 'ENCRYPTED PRIVATE KEY', 26, 'MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkq'),
  (d) =>
    `curl -X POST ${secret(`${d.text(word, 23)}9`, `https://hooks.slack.com/services/T${d.text(alphabets.upper, 10)}/B${d.text(alphabets.upper, 10)}/`)} -d '{"text":"hi"}'`,
  (d) => `curl -u ${secret(password(d), 'admin:')} https://nexus.example.com/repository`,
  (d) =>
    `webhook ${secret(`${d.text(word, 67)}x`, `https://discord.com/api/webhooks/1${d.text(alphabets.digits, 18)}/`)}`,
  (d) => `Authorization: Basic ${secret(basic(d))}`,
  (d) => `machine api.example.com login bot password ${secret(password(d))}`,
  (d) =>
    `AccountName=files;AccountKey=${secret(`${d.text(base64, 86)}==`)};EndpointSuffix=core.windows.net`,
  (d) => `//registry.example.com/:_authToken=${secret(d.uuid())}`,
  (d) => `{"auths":{"ghcr.io":{"auth":"${secret(basic(d))}"}}}`,
  (d) =>
    `Server=tcp:sql.example.com,1433;Database=app;User ID=sa;Password=${secret(password(d))};Encrypt=True;`,
  (d) => `amqp broker at ${secret(password(d), 'amqps://svc:', '@mq.example.com:5671/jobs')}`,
  (d) =>
    `otpauth://totp/Example:ana@example.com?secret=${secret(d.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32))}&issuer=Example`,
  (d) => `mysql -h db.internal -u root -p${secret(password(d))} app`,
  (d) => `PuTTY: ${pem(d, 'DSA PRIVATE KEY', 8, 'MIIBuwIBAAKBgQD')}`,
  (d) => `sshpass -p '${secret(password(d))}' ssh root@10.0.0.4`,
  (d) => pem(d, 'PGP PRIVATE KEY BLOCK', 20, '\nlQOYBGV'),
  (d) => `smtp: ${secret(password(d), 'smtps://mailer%40example.com:', '@smtp.example.com:465')}`,
  (d) => `const rpc = 'https://eth-mainnet.g.alchemy.com/v2/${secret(`${d.text(word, 31)}7`)}'`,
  (d) =>
    `https://files.blob.core.windows.net/x?sv=2022-11-02&se=2027-01-01&sr=c&sp=r&sig=${secret(`${d.text(word, 42)}%3D`)}`,
  (d) =>
    `[default]\naws_access_key_id = ${secret(`AKIA${d.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`)}\naws_secret_access_key = ${secret(d.text(base64, 40))}\n`,
  (d) =>
    `CLOUDINARY_URL=${secret(wordy(d, 27), `cloudinary://${d.text(alphabets.digits, 15)}:`, `@${d.text(lower, 8)}`)}`,
  (d) => `wget --user=ana --password=${secret(password(d))} ftp://files.example.com/a.zip`,
]

import fc, { type Arbitrary } from 'fast-check'
import { drawFrom } from './draw.ts'
import { type Piece, plain, secret } from './json-spelling.ts'
import { phraseOf } from './secret-lines.ts'

/** A secret in a text, with the context that reveals it. */
export type PlantedSecret = { readonly core: string; readonly pieces: readonly Piece[] }

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const word = (length: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: length, maxLength: length })
    .map((all) => `${all.join('').slice(0, -1)}7`)

const withoutContext = (core: string): PlantedSecret => ({ core, pieces: [secret(core)] })
const inContext = (before: string, behind: string) => (core: string) => ({
  core,
  pieces: [plain(before), secret(core), plain(behind)],
})

const hex64 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))

const pem = fc
  .array(word(64), { minLength: 2, maxLength: 4 })
  .map((lines) => ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n'))

/** Generates recovery phrases. */
export const phrase = fc
  .tuple(fc.uuid(), fc.constantFrom(12, 15, 18, 21, 24))
  .map(([seed, count]) => phraseOf(drawFrom(seed), count).split(' '))

/** Generators of secrets, by kind. */
export const secretsByKind: Readonly<Record<string, Arbitrary<PlantedSecret>>> = {
  'a JSON Web Token': fc
    .tuple(word(20), word(30), word(30))
    .map(([head, body, sum]) => withoutContext(`eyJ${head}.${body}.${sum}`)),
  'an AI provider key': fc
    .tuple(fc.constantFrom('sk-', 'sk-proj-', 'sk-ant-', 'gsk_', 'xai-', 'm0-'), word(40))
    .map(([start, rest]) => withoutContext(start + rest)),
  'a GitHub token': word(36).map((rest) => withoutContext(`ghp_${rest}`)),
  'a GitLab token': word(20).map((rest) => withoutContext(`glpat-${rest}`)),
  'an AWS access key': word(16).map((rest) => withoutContext(`AKIA${rest.toUpperCase()}`)),
  'a Google API key': word(35).map((rest) => withoutContext(`AIza${rest}`)),
  'a Slack token': word(24).map((rest) => withoutContext(`xoxb-${rest}`)),
  'a Slack webhook': fc
    .tuple(word(9), word(9), word(24))
    .map((parts) => inContext('https://hooks.slack.com/services/', '')(parts.join('/'))),
  'an age secret key': word(58).map((rest) =>
    withoutContext(`AGE-SECRET-KEY-1${rest.toUpperCase()}`),
  ),
  'a Stripe key': word(24).map((rest) => withoutContext(`sk_live_${rest}`)),
  'an npm token': word(36).map((rest) => withoutContext(`npm_${rest}`)),
  'a Hugging Face token': word(34).map((rest) => withoutContext(`hf_${rest}`)),
  'a SendGrid key': fc
    .tuple(word(22), word(43))
    .map(([id, key]) => withoutContext(`SG.${id}.${key}`)),
  'a Telegram bot token': word(35).map((rest) => withoutContext(`123456789:${rest}`)),
  'an extended private key': word(107).map((rest) =>
    withoutContext(`xprv${rest.replaceAll(/[0OIl]/g, 'a')}`),
  ),
  'a private key in PEM form': pem.map(withoutContext),
  'a private key (64 hexadecimal digits)': fc
    .tuple(hex64, fc.constantFrom('PRIVATE_KEY=', 'wallet secret: 0x', 'seed = "'))
    .map(([core, before]) => ({
      core,
      pieces: before.endsWith('0x')
        ? [plain(before.slice(0, -2)), secret(`0x${core}`)]
        : [plain(before), secret(core), plain(before.endsWith('"') ? '"' : '')],
    })),
  'credentials in an address': word(12).map(inContext('postgres://bob:', '@db.example/x')),
  'a bearer token': word(30).map(inContext('Authorization: Bearer ', '')),
  'a password or key': fc
    .tuple(
      word(12),
      fc.constantFrom(
        ['password: "', '"'],
        ["api_key='", "'"],
        ['OPENAI_API_KEY=', ''],
        ['aws_secret_access_key: ', ''],
      ),
    )
    .map(([core, [before, behind]]) => inContext(before ?? '', behind ?? '')(core)),
  'a recovery phrase': phrase.map((words) => withoutContext(words.join(' '))),
}

/** Generates a secret of any kind. */
export const arbitrarySecret: Arbitrary<PlantedSecret> = fc.oneof(...Object.values(secretsByKind))

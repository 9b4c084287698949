import fc from 'fast-check'
import { english } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { findSecrets } from './secrets.ts'

const words = new Set(english)
const find = (text: string) => findSecrets(text, words)

const hex64 = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const token =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('a secret', () => {
  it.each([
    ['-----BEGIN OPENSSH PRIVATE KEY-----', 'PEM'],
    [token, 'JSON Web Token'],
    [`sk-ant-${'a1'.repeat(20)}`, 'AI provider'],
    [`ghp_${'a1'.repeat(18)}`, 'GitHub'],
    ['AKIAIOSFODNN7EXAMPLE', 'AWS'],
    [`AIza${'a1_-b'.repeat(7)}`, 'Google'],
    ['xoxb-1234567890-abcdef', 'Slack'],
    [`{"privateKey":"0x${hex64}"}`, 'private key'],
    [`PRIVATE_KEY=${hex64}`, 'private key'],
    ['{"password":"correct-horse"}', 'password'],
    ['postgres://user:hunter22@db.example/x', 'credentials'],
  ])('such as %s is found', (text, kind) => {
    const [finding] = find(`first line\n  ${text} and more`)
    expect(finding).toMatchObject({ kind: expect.stringContaining(kind), line: 2 })
    expect(finding?.excerpt.length).toBeLessThan(8)
  })

  it.each([
    ['of 12 words in a row', (phrase: string[]) => phrase.join(' ')],
    ['with capitals', (phrase: string[]) => phrase.join(' ').toUpperCase()],
    ['in a list of JSON', (phrase: string[]) => JSON.stringify(phrase)],
    ['a line each, inside JSON', (phrase: string[]) => JSON.stringify(phrase.join('\n'))],
    ['numbered', (phrase: string[]) => phrase.map((it, at) => `${at + 1}. ${it}`).join('\n')],
  ])('phrase %s is found wherever it stands', (_, spell) => {
    const phrase = fc.array(fc.constantFrom(...english), { minLength: 12, maxLength: 24 })
    fc.assert(
      fc.property(phrase, (it) => {
        expect(find(`Remember this zzz: ${spell(it)}.`)).toMatchObject([
          { kind: expect.stringMatching(/recovery phrase of \d+ words/) },
        ])
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    'The user asked about opening hours and I said that we open at nine on every day but Sunday.',
    `{"contentHash":"0x${hex64}","tags":["keys","tokens"],"password":""}`,
    'She is a sad and happy cat that ran far; you can see it, but any man may run too.',
  ])('is not seen in %s', (text) => {
    expect(find(text)).toEqual([])
  })

  it('is looked for in a long text in little time', () => {
    const text = `${'abandon ability zoo not-a-word password: '.repeat(25_000)}`
    const began = performance.now()
    find(text)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

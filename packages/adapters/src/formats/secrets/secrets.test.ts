import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime, yardstick } from '../../../../../test/harness/yardstick.ts'
import { times } from '../../../../../test/tier.ts'
import { phrase as phrases } from '../test/planted-secrets.ts'
import { findSecrets as find, redactSecrets } from './secrets.ts'

const hex64 = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const token =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('a secret', () => {
  it.each([
    ['-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjEA', 'PEM'],
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
    ['api_key: abcdef123456', 'password'],
    ['Authorization: Bearer abcdef0123456789', 'bearer'],
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
  ])('phrase %s is found in any text', (_, spell) => {
    fc.assert(
      fc.property(phrases, (it) => {
        expect(find(`Remember this zzz: ${spell(it)}.`)).toMatchObject([
          { kind: expect.stringMatching(/recovery phrase of \d+ words/) },
        ])
      }),
      { numRuns: times(8, 30) },
    )
  })

  it.each([
    'The user asked about opening hours and I said that we open at nine on every day but Sunday.',
    `{"contentHash":"0x${hex64}","tags":["keys","tokens"],"password":""}`,
    'She is a sad and happy cat that ran far; you can see it, but any man may run too.',
    `{"walletTxHash":"0x${hex64}","signer_public_key":"${hex64}","secretHash":"${hex64}"}`,
    '{"password":"Enter your password.","api_key":"OPENAI_API_KEY","secret":"$(pass show x)"}',
    'export DB_PASSWORD="op://app-prod/db/password" API_KEY=$KEY api_key=os.environ["EXA_API_KEY"]',
    'Their secret: "nothing is done alone". The password: required. Set OPENAI_API_KEY=<your key>.',
    '{"metadata":{"requires":{"env":["GEMINI_API_KEY"]},"primaryEnv":"GEMINI_API_KEY"}}',
    '{"secrets":{"cave":"behind the waterfall"},"token":"sun","tokens":123456}',
    '{"password":"[REDACTED]","url":"https://user:pass@example.com"}',
    'The class sk-circle-fade-animation-of-the-spinner stays.',
  ])('is not found in %s', (text) => {
    expect(find(text)).toEqual([])
  })

  it.each([
    'abandon ability zoo not-a-word password: ',
    'password:"',
    '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----',
    '\\',
    '\\u005c',
    '{"a":"',
    `ghp_${'a1'.repeat(18)} `,
  ])('is searched for in a megabyte of %s in little time', async (part) => {
    const text = part.repeat(2 ** 20 / part.length)
    const spent = await processorTime(() => find(text))
    expect(spent).toBeLessThan(1000 * (await yardstick()))
  })
})

describe('the secrets of an agent of Letta', () => {
  const agent = (members: object) => JSON.stringify({ agents: [members] })

  it.each([
    ['secrets', agent({ secrets: { CITY: 'Oslo' } }), '/agents/0/secrets/CITY'],
    [
      'variables',
      agent({ tool_exec_environment_variables: { PIN: 1234 } }),
      '/agents/0/tool_exec_environment_variables/PIN',
    ],
    [
      'a list of variables, as in older files',
      '{"tool_exec_environment_variables":[{"key":"CITY","description":"x","value":"Oslo"}]}',
      '/tool_exec_environment_variables/0/value',
    ],
    [
      'secrets of a character of ElizaOS',
      '{"name":"Ada","settings":{"secrets":{"CITY":"Oslo"}}}',
      '/settings/secrets/CITY',
    ],
    [
      'headers of a server',
      '{"mcp_servers":[{"server_name":"x","custom_headers":{"x-key":"Oslo"}}]}',
      '/mcp_servers/0/custom_headers/x-key',
    ],
    [
      'variables of a server',
      '{"mcp_servers":[{"stdio_config":{"command":"x","env":{"CITY":"Oslo"}}}]}',
      '/mcp_servers/0/stdio_config/env/CITY',
    ],
  ])('%s are found by their place, and nothing else', (_, text, where) => {
    expect(find(text)).toMatchObject([{ kind: 'a secret of an agent', where }])
    const { text: left } = redactSecrets(text)
    expect(left).toBe(text.replace(/"Oslo"|1234/, '"(redacted-1)"'))
    expect(find(left)).toEqual([])
  })

  it.each([
    agent({ secrets: null, tool_exec_environment_variables: {} }),
    agent({ secrets: { CITY: '' }, tool_exec_environment_variables: [{ key: 'A', value: '' }] }),
    '{"mcp_servers":[{"server_name":"x","token":null,"custom_headers":null}]}',
  ])('nothing is found in %s', (text) => {
    expect(find(text)).toEqual([])
  })
})

describe('the place of a secret', () => {
  const token = `ghp_${'a1'.repeat(18)}`

  it('is a JSON Pointer and the line in the string', () => {
    const text = JSON.stringify({ 'a/b': [{}, { note: `one\ntwo ${token}` }] })
    expect(find(text)).toMatchObject([{ where: '/a~1b/1/note', line: 2 }])
  })

  it('is the object around it when a member name holds it', () => {
    expect(find(JSON.stringify({ data: { [token]: 1 } }))).toMatchObject([{ where: '/data' }])
  })
})

describe('redaction', () => {
  it.each([
    ['a number', '{"private_key":1%}', '{"private_key":"(redacted-1)"}'],
    [
      'names that differ',
      '{"AKIAIOSFODNN7EXAMPLE":1,"AKIAIOSFODNN7EXAMPLF":2}',
      '{"(redacted-1)":1,"(redacted-2)":2}',
    ],
    ['a password with quotes', '{"password":"it\'s \\"so\\" 1"}', '{"password":"(redacted-1)"}'],
    [
      'a key in lines',
      '["-----BEGIN PRIVATE KEY-----","MIIEvQIBADANBgkq","-----END PRIVATE KEY-----"]',
      '["(redacted-1)","(redacted-2)","(redacted-3)"]',
    ],
    [
      'a text that is not JSON',
      'PASSWORD="hunter22" and (redacted-4)',
      'PASSWORD="(redacted-5)" and (redacted-4)',
    ],
    ['a secret that begins in an escape', '{"m":"{\\"k\\":\\"\\\\npm_%\\"}"}', undefined],
  ])('of %s leaves the rest of the text unchanged', (_, text, left) => {
    const secret = text.includes('npm_') ? 'a1'.repeat(18) : '234567890'.repeat(7)
    const whole = text.replace('%', secret)
    const redacted = redactSecrets(whole).text
    if (left !== undefined) expect(redacted).toBe(left)
    else expect(() => JSON.parse(JSON.parse(redacted).m)).not.toThrow()
    expect(find(redacted)).toEqual([])
  })
})

import { walletKeys } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { loadCommands } from '../load-command.ts'
import { fullName, otherWords } from './read-call.ts'

const commands = await loadCommands()

// Names of commands, some real options, and any other text.
const word = fc.oneof(
  fc.constantFrom(
    ...commands.map(([name]) => name),
    '--json',
    '--yes',
    '--url',
    '-o',
    '--',
    '-',
    '7',
  ),
  fc.string({ minLength: 1 }),
)
const hex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
  minLength: 64,
  maxLength: 64,
})
const key = fc
  .tuple(
    fc.constantFrom('', '0x', '--key=', '--key=0x', '--recipient=', 'KEY=', '--idempotency-key='),
    hex,
  )
  .map((parts) => parts.join(''))

test('refuses a command line with a private key, and never repeats the key', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 4 }),
      key,
      fc.array(word, { maxLength: 3 }),
      async (before, secret, after) => {
        const words = [...before, secret, ...after].filter(
          (it) => !/^(--?h(elp)?|help|--version|-v)$/.test(it),
        )
        const { code, out, err } = await run(words)
        expect(code).toBe(2)
        expect(`${out}${err}`).not.toContain(secret.slice(-64))
        expect(err).toContain('looks like a private key')
      },
    ),
  )
})

test('warns of a private key in a request for help, and never repeats it', async () => {
  const secret = walletKeys[0] ?? ''
  for (const words of [
    ['help', secret],
    [secret, '--help'],
  ]) {
    const { code, out, err } = await run(words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('looks like a private key')
    expect(err).not.toContain(secret.slice(-64))
  }
})

test('refuses unknown arguments without repeating them', async () => {
  for (const [name, command] of commands) {
    for (const words of [
      ['--astray=s3cret'],
      [...Array(command.words.length + 1)].fill('s3cret'),
    ]) {
      const { code, out, err } = await run([name, ...words])
      expect([name, code, out]).toEqual([name, 2, ''])
      expect(err).toMatch(new RegExp(`^heirloom ${name} (has no option --astray|takes .*); .*\n$`))
      expect(err).not.toContain('s3cret')
    }
  }
  expect(await run(['s3cret'])).toEqual({
    code: 2,
    out: '',
    err: 'No such command. heirloom --help lists all commands.\n',
  })
})

test('names the command or option that may be meant', async () => {
  expect((await run(['downlaod', '7'])).err).toBe(
    'There is no command downlaod. Did you mean heirloom download? heirloom --help lists all commands.\n',
  )
  for (const [typed, meant] of [
    ['sell', 'offer'],
    ['purchase', 'buy'],
    ['start', 'serve'],
  ] as const) {
    expect((await run([typed, '7'])).err).toContain(`There is no command ${typed}. Did you mean`)
    expect((await run([typed, '7'])).err).toContain(`heirloom ${meant}?`)
  }
  expect((await run(['--url', 'http://a', 'list'])).err).toContain('The command comes first')
  const names = commands.map(([name]) => name)
  for (const [command, others] of Object.entries(otherWords)) {
    expect(names).toContain(command)
    expect(others.filter((word) => names.includes(word))).toEqual([])
  }
  expect((await run(['list', '7', '--pirce', '1'])).err).toContain(
    'heirloom list has no option --pirce, but --price; heirloom list --help',
  )
  expect((await run(['info', '-1'])).err).toContain('heirloom info has no option -1;')
  expect((await run(['download', '7', '-f'])).err).toContain('has no option -f;')
})

test('names the missing arguments, and shows one example', async () => {
  for (const [name, { words, examples }] of commands) {
    const missing = words.filter(({ optional }) => !optional).map((word) => word.name)
    if (missing.length === 0) continue
    const { code, out, err } = await run([name])
    expect([name, code, out]).toEqual([name, 2, ''])
    expect(err).toBe(
      `heirloom ${name} needs ${missing.join(' and ')}; heirloom ${name} --help describes it. Example: ${Object.values(examples)[0]}\n`,
    )
  }
  expect((await run(['royalty', '7'])).err).toContain('heirloom royalty needs AMOUNT;')
})

test('names the option whose value is missing or not expected', async () => {
  expect((await run(['list', '7', '--price'])).err).toContain(
    'heirloom list needs AMOUNT after --price;',
  )
  expect((await run(['list', '7', '--price', '--rent', '1'])).err).toContain('after --price;')
  expect((await run(['snapshot', '-', '--json=s3cret'])).err).toContain(
    'heirloom snapshot takes no value after --json;',
  )
})

test('reports an error as JSON with --json', async () => {
  const { err } = await run(['buy', '--json'])
  expect(JSON.parse(err)).toEqual({
    code: 'command/usage',
    message: expect.stringContaining('heirloom buy needs ID'),
    facts: {},
  })
})

test('accepts a content hash, which looks like a private key', async () => {
  const unreachable = { HEIRLOOM_URL: 'http://127.0.0.1:1' }
  const hash = `0x${'ab'.repeat(32)}`
  for (const words of [['--content-hash', hash], [`--content-hash=${hash}`]]) {
    expect((await run(['browse', ...words], { env: unreachable })).err).not.toContain('private key')
  }
  expect((await run(['browse', '--content-hash', walletKeys[0]?.slice(2) ?? ''])).code).toBe(2)
})

test('a name cut short means the only command that it begins, unless that pays or destroys', async () => {
  const names = commands.map(([name]) => name)
  const pays = new Set(commands.flatMap(([name, { options }]) => ('yes' in options ? [name] : [])))
  const reached = new Set<string>()
  for (const [name, length] of names.flatMap((it) => [...it].map((_, at) => [it, at] as const))) {
    const typed = name.slice(0, length)
    const full = fullName(typed, names)
    if (full === typed) continue
    expect(names.filter((it) => it.startsWith(typed))).toEqual([full])
    reached.add(full)
  }
  expect([...reached].filter((it) => pays.has(it))).toEqual([])
  for (const name of names) expect(fullName(name, names)).toBe(name)
  const whole = await run(['snapshot', '--help'])
  for (const words of [
    ['snap', '--help'],
    ['help', 'snap'],
  ])
    expect(await run(words)).toEqual(whole)
  expect((await run(['snap'])).err).toContain('heirloom snapshot needs FILE;')
  expect(await run(['eras', '7'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no command eras. Did you mean heirloom erase?'),
  })
  expect((await run(['ra'])).err).toContain('Did you mean heirloom ratings or rate?')
})

import { expect, test } from 'vitest'
import { forge } from './forge.ts'

test('the Solidity is formatted (`pnpm forge fmt`)', () => {
  const { status, stdout } = forge(['fmt', '--check'])
  expect(status, stdout).toBe(0)
})

test('the Solidity tests pass', () => {
  const { status, stdout, stderr } = forge(['test', '-vv'])
  const suites = stdout.split('\n').filter((line) => /^(Ran|Suite)/.test(line))
  process.stdout.write(`${suites.join('\n')}\n`)
  expect(status, `${stdout}${stderr}`).toBe(0)
})

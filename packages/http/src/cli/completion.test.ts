import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../test/command-harness.ts'
import { commonOptions } from './arguments/read-call.ts'
import { commandNames, loadCommands } from './load-command.ts'

const commands = await loadCommands()

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'completion-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** Returns what bash offers for the last word of a line. */
async function completionsOf(...words: string[]): Promise<readonly string[]> {
  const { out } = await run(['completion', 'bash'])
  writeFileSync(join(home, 'script'), out)
  const line = words.map((word) => `'${word}'`).join(' ')
  const command = `. ./script; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _heirloom; printf '%s\\n' "\${COMPREPLY[@]}"`
  // With a socket as input, bash takes itself for a remote shell, and reads ~/.bashrc.
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-euc', command], {
    cwd: home,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash', () => {
  test('completes commands', async () => {
    expect(await completionsOf('heirloom', '')).toEqual([...commandNames, 'help'])
    expect(await completionsOf('heirloom', 'do')).toEqual(['download', 'doctor'])
  })

  test.each(commands)('completes the options of %s', async (name, { options }) => {
    const all = Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`)
    expect(await completionsOf('heirloom', name, '--')).toEqual(all)
  })

  test('completes values of options and arguments, and leaves files to bash', async () => {
    expect(await completionsOf('heirloom', 'browse', '--order', '')).toEqual(['desc', 'asc'])
    expect(await completionsOf('heirloom', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await completionsOf('heirloom', 'snapshot', '')).toEqual([])
    expect(await completionsOf('heirloom', 'download', '7', '-o', '')).toEqual([])
  })
})

describe('every shell', () => {
  test.each(['bash', 'zsh', 'fish'])('%s knows every command and option', async (shell) => {
    const { out } = await run(['completion', shell])
    for (const [name, { options }] of commands) {
      expect(out).toContain(name)
      for (const option of Object.keys(options))
        expect(out).toMatch(new RegExp(`(--|-l )${option}\\b`))
    }
    const { out: json } = await run(['completion', shell, '--json'])
    expect(JSON.parse(json)).toEqual({ shell, script: out })
  })

  test('can parse its script, if the shell is installed', async () => {
    for (const [shell, check] of [
      ['bash', '-n'],
      ['zsh', '-n'],
      ['fish', '--no-execute'],
    ] as const) {
      const { out } = await run(['completion', shell])
      writeFileSync(join(home, shell), out)
      const { status, error } = spawnSync(shell, [check, join(home, shell)])
      if (error === undefined) expect([shell, status]).toEqual([shell, 0])
    }
  })

  test.each([
    ['zsh', 'zsh', '-fc', 'need compinit'],
    ['dash', 'bash', '-c', 'need bash'],
  ])(
    'says when it cannot work: %s with the script of %s',
    async (program, shell, flag, problem) => {
      const { out } = await run(['completion', shell])
      writeFileSync(join(home, 'unusable'), out)
      const line = [flag, '. ./unusable; echo $?']
      const { error, stdout, stderr } = spawnSync(program, line, { cwd: home, encoding: 'utf8' })
      if (error !== undefined) return
      expect([stdout, stderr]).toEqual(['1\n', expect.stringContaining(problem)])
    },
  )

  test('is refused when it is unknown', async () => {
    expect((await run(['completion', 'tcsh'])).code).toBe(2)
  })
})

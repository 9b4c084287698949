import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { deployFolder, readDeployed } from '../harness/hosting/files.ts'
import { knownVariables } from '../harness/hosting/known-variables.ts'

const unit = 'systemd/heirloom.service'

/** Returns the settings of the unit with their values, in their order. */
const settings = [...readDeployed(unit).matchAll(/^(\w+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => [name, value] as const,
)
const valuesOf = (name: string) => settings.flatMap(([it, value]) => (it === name ? [value] : []))

const variables = Object.fromEntries(
  [...valuesOf('Environment'), ...readDeployed('systemd/heirloom.env.example').split('\n')]
    .filter((line) => /^[A-Z_]+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
)

describe('the systemd unit', () => {
  test('gives the server settings that exist and that it accepts', () => {
    const known = knownVariables
    expect(Object.keys(variables).filter((name) => !known.has(name))).toEqual([])
    expect(readConfig(variables)).toMatchObject({ host: '127.0.0.1', dataDir: '%S/heirloom/data' })
    expect(valuesOf('StateDirectory')).toEqual(['heirloom'])
    expect(variables.MASTER_KEY_FILE).toBe('%d/master.keys')
    expect(valuesOf('LoadCredential')[0]).toMatch(/^master\.keys:/)
  })

  test('starts the program of the folder that the guide installs', () => {
    expect(valuesOf('ExecStart')).toEqual(['/usr/bin/node /opt/heirloom/dist/cli.js serve'])
    expect(readDeployed('README.md')).toContain('/opt/heirloom')
  })

  test('takes away what the server does not need', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      PrivateTmp: 'yes',
      CapabilityBoundingSet: '',
      ProtectHome: 'yes',
      RestrictNamespaces: 'yes',
    })
  })

  const systemd = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })

  // systemd's own tool, where it is installed.
  test.skipIf(systemd('--version').status !== 0)('is one that systemd understands', () => {
    const path = join(deployFolder, unit)
    const { stderr } = systemd('verify', '--man=no', path)
    // The programs are not where the unit has them.
    const problems = stderr
      .split('\n')
      .filter((it) => it !== '' && !it.includes('is not executable'))
    expect(problems).toEqual([])
    const { stdout } = systemd('security', '--offline=true', '--no-pager', path)
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThan(2)
  })
})

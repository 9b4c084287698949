import { closestMatch } from 'leven'
import { readConfig } from './config.ts'
import type { Environment } from './environment.ts'

/** Settings that together let every reader of a variable run. */
const environments: readonly Environment[] = [
  {},
  {
    ...{ RPC_URL: 'http://127.0.0.1:8545', AGENT_PRIVATE_KEY: `0x${'1'.repeat(64)}` },
    ...{ MASTER_KEYS: '7'.repeat(64), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
  },
  {
    AGENT_KEY_SERVICE: 'pkcs11:object=agent?module-path=/usr/lib/softhsm/libsofthsm2.so',
    ...{ AGENT_KEY_PIN: '1234', AGENT_ADDRESS: `0x${'1'.repeat(40)}` },
  },
]

/** Returns the names of all variables that a server reads itself. */
export function knownVariables(): ReadonlySet<string> {
  const names = new Set<string>()
  for (const environment of environments) {
    readConfig(
      new Proxy(environment, {
        get: (target, name) => {
          names.add(String(name))
          return Reflect.get(target, name)
        },
      }),
    )
  }
  return names
}

/** A shorter name is one letter away from another one by chance. */
const shortest = 5

/**
 * Returns a sentence for each variable that nothing reads and whose name is one letter away from that
 * of a setting, or differs in singular and plural: the setting would have its default unseen.
 */
export function misspeltVariables(env: Environment): readonly string[] {
  const known = [...knownVariables()]
  return Object.keys(env).flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearest(name, known)
    return meant === undefined ? [] : [`${name} is set, and is no setting; ${meant} is one.`]
  })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < shortest || name.length > 64) return undefined
  const alike = known.find((it) => singular(it) === singular(name))
  return alike ?? closestMatch(name, known, { maxDistance: 1 })
}

const singular = (name: string) => name.replace(/IES$/, 'Y').replace(/S$/, '')

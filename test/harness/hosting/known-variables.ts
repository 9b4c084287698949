import { readConfig } from '../../../packages/http/src/config/config.ts'
import type { Environment } from '../../../packages/http/src/config/environment.ts'

/** Settings that let every reader of a variable run. */
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

/** The variables that the client of an S3 store reads by itself, and those of Node and of glibc. */
const foreign = [
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'],
  ...['NODE_ENV', 'PATH', 'GLIBC_TUNABLES'],
]

/** Returns the names of all variables that the server reads. */
export function knownVariables(): ReadonlySet<string> {
  const names = new Set(foreign)
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

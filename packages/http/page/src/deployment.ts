import { signal } from '@preact/signals'
import type { Deployment } from '../../src/client/responses.ts'
import { readNow } from './api/get-json.ts'

/** The chain and the contracts of the server; `undefined` until it answers. */
export const deployment = signal<Deployment | undefined>(undefined)

/** The chain id of the embedded chain. */
export const embeddedChainId = 31_337

/** Loads the deployment; retries until the server answers. */
export async function loadDeployment(): Promise<Deployment> {
  for (;;) {
    try {
      const loaded = deployment.value ?? (await readNow('deployment', {}))
      deployment.value = loaded
      return loaded
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

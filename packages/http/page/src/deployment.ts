import { signal } from '@preact/signals'
import type { Deployment } from '../../src/client/responses.ts'
import { ask } from './api/request.ts'

/** Which chain the server works with and where its contracts are; `undefined` until it told. */
export const deployment = signal<Deployment | undefined>(undefined)

/** The chain id of the chain that a server without another one has in itself. */
export const embeddedChainId = 31_337

/** Asks the server which chain it works with, until it answers. */
export async function learnDeployment(): Promise<Deployment> {
  for (;;) {
    try {
      const told = deployment.value ?? (await ask<Deployment>('/api/deployment'))
      deployment.value = told
      return told
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

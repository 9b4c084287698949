import type { StoredErasures } from '@heirloom/adapters/keys'
import { erase } from '@heirloom/core'
import { serialQueue } from '../bounds/serial-queue.ts'
import type { Forgetting } from './forgetting.ts'

/** Erases memories for their owners. @throws the failures of `erase` */
export type Erasing = (input: erase.Input) => Promise<erase.Output>

export declare namespace erasing {
  type Parts = Omit<erase.Parts, 'erasures' | 'forget'> & {
    readonly erasures: Pick<StoredErasures, 'add' | 'find' | 'refresh'>
    readonly forgetting: Pick<Forgetting, 'sweep'>
  }
}

/** Returns the erasing of a server, one memory after the other. */
export function erasing({ forgetting: { sweep }, ...parts }: erasing.Parts): Erasing {
  const enqueue = serialQueue()
  return (input) =>
    enqueue(async () => {
      // Another server may have erased it.
      await parts.erasures.refresh()
      return erase({ ...parts, forget: sweep }, input)
    })
}

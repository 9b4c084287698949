import type { CallOptions } from '../../client/transport/transport.ts'
import type { CallContext } from './tool.ts'

/** A stage of a call: its share of the whole, in percent, and what happens in it. */
type Stage = { readonly from: number; readonly to: number; readonly message: string }

/** Returns a function that reports stages of a call in percent, each value once and rising. */
export function progressStages({ report }: Pick<CallContext, 'report'>) {
  let last = -1
  const reach = (percent: number, message: string) => {
    const progress = Math.floor(percent)
    if (progress <= last) return
    last = progress
    report?.({ progress, total: 100, message })
  }
  return ({ from, to, message }: Stage): NonNullable<CallOptions['onProgress']> => {
    reach(from, message)
    return ({ bytes, total }) => {
      if (total) reach(from + (Math.min(bytes, total) / total) * (to - from), message)
    }
  }
}

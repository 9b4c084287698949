import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A Linux control group that kills processes beyond its memory limit. */
export type MemoryLimit = {
  /** Returns the command line that runs a program inside the group. */
  readonly command: (program: string, words: readonly string[]) => [string, string[]]
  /** Returns the peak memory use in bytes, page cache included. */
  readonly peak: () => number
  readonly remove: () => void
}

const root = '/sys/fs/cgroup'

/**
 * Creates a control group with a memory limit, below the group of this process. A limit of the address
 * space would not work: V8 and WebAssembly reserve far more than they use.
 *
 * @throws without the right to create control groups (root)
 */
export function memoryLimit(bytes: number): MemoryLimit {
  const { parent, limit, peak } = existsSync(join(root, 'memory'))
    ? {
        parent: join(root, 'memory', ownGroup(/^\d+:memory:(.*)$/m)),
        limit: 'memory.limit_in_bytes',
        peak: 'memory.max_usage_in_bytes',
      }
    : { parent: join(root, ownGroup(/^0::(.*)$/m)), limit: 'memory.max', peak: 'memory.peak' }
  const group = join(parent, `heirloom-${process.pid}-${Date.now()}`)
  mkdirSync(group)
  writeFileSync(join(group, limit), String(bytes))
  const enter = `echo $$ > ${join(group, 'cgroup.procs')}; exec "$0" "$@"`
  return {
    command: (program, words) => ['sh', ['-c', enter, program, ...words]],
    peak: () => Number(readFileSync(join(group, peak), 'utf8')),
    remove: () => rmdirSync(group),
  }
}

const ownGroup = (pattern: RegExp) =>
  pattern.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? ''

/** Returns the peak resident memory of a process in bytes. */
export function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group of Linux that ends whatever takes more memory than it allows. */
export type MemoryLimit = {
  /** The program, and the words before its own, that run it inside. */
  readonly command: (program: string, words: readonly string[]) => [string, string[]]
  /** Returns the most memory that was in use at once, in bytes, page cache included. */
  readonly peak: () => number
  readonly remove: () => void
}

const root = '/sys/fs/cgroup'

/**
 * Makes a control group of so many bytes below this process's own. An address-space limit will not
 * do: V8 and WebAssembly reserve far more than they use.
 *
 * @throws where control groups cannot be made, which takes root
 */
export function memoryLimit(bytes: number): MemoryLimit {
  const { parent, limit, peak } = existsSync(join(root, 'memory'))
    ? {
        parent: join(root, 'memory', ownGroup(/^\d+:memory:(.*)$/m)),
        ...{ limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
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

/** Returns the most resident memory that a process had at once, in bytes. */
export function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

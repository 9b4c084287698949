import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs a package by apt on Debian as root, and returns whether it did. */
export function installFromDebian(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
      execFileSync('apt-get', ['-qq', ...args], { stdio: 'ignore', env })
    }
    return true
  } catch {
    return false
  }
}

/** Removes the variables that a package manager or a test runner has added. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const added =
    /^(npm_(lifecycle|package|command|execpath|node|config_(call|package))|PNPM_|VITEST|NODE_ENV|TEST$)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)))
}

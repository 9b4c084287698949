const decimals = 18
const one = 10n ** 18n
const gwei = 10n ** 9n

/** Returns an amount in ether, exact: `0.005`. */
export function ether(wei: bigint): string {
  return scaled(wei, decimals)
}

/** Returns an amount as a person reads it: at most six digits of ether, small change in gwei or wei. */
export function shortEther(wei: bigint): string {
  if (wei === 0n) return '0 ETH'
  if (wei < gwei) return `${wei} wei`
  if (wei < one / 1_000_000n) return `${rounded(wei, 9, 3)} gwei`
  return `${rounded(wei, decimals, 6)} ETH`
}

/** Returns the wei of an amount in ether, or `undefined` for what is none. */
export function parseEther(text: string): bigint | undefined {
  const [, whole = '', part = ''] = /^\s*(\d{1,40})?(?:\.(\d{0,18}))?\s*$/.exec(text) ?? []
  if (whole === '' && part === '') return undefined
  return BigInt(whole) * one + BigInt(part.padEnd(decimals, '0'))
}

function scaled(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0')
  const part = digits.slice(-places).replace(/0+$/, '')
  const whole = digits.slice(0, -places)
  return part === '' ? whole : `${whole}.${part}`
}

function rounded(amount: bigint, places: number, kept: number): string {
  const unit = 10n ** BigInt(places - kept)
  const near = ((amount + unit / 2n) / unit) * unit
  const [whole = '', part] = scaled(near, places).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const sign = near === amount ? '' : '≈ '
  return `${sign}${grouped}${part === undefined ? '' : `.${part}`}`
}

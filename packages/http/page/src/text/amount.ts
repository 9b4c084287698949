const decimals = 18
const one = 10n ** 18n
const gwei = 10n ** 9n

/** Formats an amount in ether, exactly: `0.005`. */
export function formatEther(wei: bigint): string {
  return scale(wei, decimals)
}

/** Formats an amount with its unit: ether with at most six decimals, small amounts in gwei or wei. */
export function formatShortEther(wei: bigint): string {
  if (wei === 0n) return '0 ETH'
  if (wei < gwei) return `${wei} wei`
  if (wei < one / 1_000_000n) return `${round(wei, 9, 3)} gwei`
  return `${round(wei, decimals, 6)} ETH`
}

/** Parses an amount in ether to wei; `undefined` if the text is not an amount. */
export function parseEther(text: string): bigint | undefined {
  const [, whole = '', part = ''] = /^\s*(\d{1,40})?(?:\.(\d{0,18}))?\s*$/.exec(text) ?? []
  if (whole === '' && part === '') return undefined
  return BigInt(whole) * one + BigInt(part.padEnd(decimals, '0'))
}

function scale(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0')
  const part = digits.slice(-places).replace(/0+$/, '')
  const whole = digits.slice(0, -places)
  return part === '' ? whole : `${whole}.${part}`
}

function round(amount: bigint, places: number, decimalsShown: number): string {
  const unit = 10n ** BigInt(places - decimalsShown)
  const near = ((amount + unit / 2n) / unit) * unit
  const [whole = '', part] = scale(near, places).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const sign = near === amount ? '' : '≈ '
  return `${sign}${grouped}${part === undefined ? '' : `.${part}`}`
}

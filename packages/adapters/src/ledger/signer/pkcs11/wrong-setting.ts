/** Thrown when a setting must change before a token can be used. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
  readonly setting: 'key' | 'pin'

  constructor(setting: 'key' | 'pin', problem: string) {
    super(problem)
    this.setting = setting
  }
}

/** A place in an S3-compatible store. */
export type S3Place = {
  readonly bucket: string
  /** The first part of each object's name: empty, or a path with a slash at its end. */
  readonly prefix: string
  /** The URL of the store; absent for that of Amazon in the region. */
  readonly endpoint: string | undefined
  /** The region; absent for that of the AWS environment, or `us-east-1` at an `endpoint`. */
  readonly region: string | undefined
  /** Whether the bucket is a part of the path rather than of the host name. */
  readonly pathStyle: boolean
}

// Cases that failed once.
import type { S3Case } from '../targets/s3.ts'

export const S3_EXAMPLES: Readonly<Record<string, S3Case>> = {}

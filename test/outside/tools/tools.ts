// All tools of `npm run outside`, in the order of the table.
import { DEBIAN_TOOLS } from './debian-tools.ts'
import { NPM_LIBRARIES } from './npm-libraries.ts'
import { NPM_SCHEMA_TOOLS } from './npm-schema-tools.ts'
import type { OutsideTool } from './tool.ts'

export const OUTSIDE_TOOLS: readonly OutsideTool[] = [
  ...NPM_SCHEMA_TOOLS,
  ...NPM_LIBRARIES,
  ...DEBIAN_TOOLS,
]

// Stored cases that once failed.
import type { KnownShapesCase } from '../targets/known-shapes.ts'

export const KNOWN_SHAPES_EXAMPLES: Readonly<Record<string, KnownShapesCase>> = {}

import { crossTalk } from './cross-talk.ts'

crossTalk('a')

/** Every answer by its name: the document, the routes and their tests go by this table. */
import * as changes from './change-answers.ts'
import * as sessions from './session-answers.ts'
import * as store from './store-answers.ts'

export const answers = { ...sessions, ...store, ...changes }

export type AnswerName = keyof typeof answers

/** Of the program, and of the API that it speaks. */
export const version = '0.1.0-alpha'

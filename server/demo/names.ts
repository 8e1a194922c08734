import type { Dice } from './dice.ts'

/** Common given and family names, put together by chance. */
const names = [
  {
    given: 'Amelia Oliver Harriet George Isla Thomas Freya Callum Megan Rhys Niamh Declan',
    family: 'Whitaker Holloway Pritchard Ashworth Brennan MacLeod Thornton Fairclough Hughes Gallagher Ormerod Kirkham',
  },
  {
    given: 'Ana João Beatriz Tiago Inês Rafael Luísa Miguel Carla Duarte Mariana Gonçalo',
    family: 'Souza Carvalho Ferreira Almeida Nogueira Teixeira Barbosa Pinto Moreira Rocha Tavares Figueiredo',
  },
  {
    given: 'Lucía Mateo Valentina Javier Camila Andrés Marisol Diego Ximena Esteban',
    family: 'Herrera Castillo Núñez Salazar Ibarra Quintero Paredes Cordero Villalobos Rivas',
  },
  {
    given: 'Priya Arjun Kavya Rohan Ananya Vikram Meera Sanjay Divya Nikhil Lakshmi Suresh',
    family: 'Iyer Deshpande Chatterjee Kulkarni Reddy Pillai Tambe Bhatt Venkatesan Mehta Gokhale Saxena',
  },
  {
    given: 'Wei Xiaoyan Jun Meiling Haoran Yating Zhihao Lihua Jiahui Bowen',
    family: 'Zhang Chen Huang Zhao Lin Xu Guo Deng Luo Zheng',
  },
  {
    given: 'Haruka Kenta Yuki Sora Ayumi Daichi Emi Takumi',
    family: 'Takahashi Nakagawa Fujimoto Okada Matsuda Hayashi Ueno Kurokawa',
  },
  { given: 'Jiwoo Minjun Seoyeon Hyunwoo Eunji Dohyun', family: 'Kang Yoon Han Jang Seo Moon' },
  { given: 'Linh Minh Thảo Quang Hương Tuấn', family: 'Nguyễn Trần Phạm Đỗ Vũ Bùi' },
  {
    given: 'Chiamaka Emeka Adaeze Tunde Folake Kwame Abena Ifeoma',
    family: 'Okafor Adeyemi Balogun Nwosu Mensah Boateng Eze Owusu',
  },
  { given: 'Wanjiru Otieno Thandiwe Sipho Makena Tendai', family: 'Kamau Ochieng Dlamini Nkosi Mwangi Moyo' },
  {
    given: 'Layla Omar Noura Khalid Yasmin Tariq Salma Hassan',
    family: 'Haddad Mansour Khoury Rahman Saleh Nasser Qasim Darwish',
  },
  { given: 'Elif Emre Zeynep Kerem Shirin Dariush', family: 'Yılmaz Demir Aydın Şahin Rostami Karimi' },
  {
    given: 'Zofia Piotr Katarzyna Tomáš Oksana Bohdan Agnieszka Marek',
    family: 'Wójcik Mazur Kaczmarek Bondarenko Kravets Dudek Pawlak Zając',
  },
  {
    given: 'Lena Jonas Greta Matthias Ingrid Søren Astrid Lukas',
    family: 'Brandt Vogel Lindqvist Sørensen Keller Bergström Haugen Krüger',
  },
  {
    given: 'Camille Étienne Margaux Baptiste Élodie Julien',
    family: 'Lefèvre Marchand Rousselle Chevalier Perrin Garnier',
  },
  { given: 'Giulia Lorenzo Chiara Davide Serena Matteo', family: 'Conti Rinaldi Gallo Marchetti Fontana Moretti' },
].map(({ given, family }) => ({ given: given.split(' '), family: family.split(' ') }))

export type Name = {
  displayName: string
  /** As it is written in email addresses and keys: `ana.souza`. */
  key: string
}

/** Gives out names, none of them twice. */
export function namesBy(dice: Dice): () => Name {
  const taken = new Set<string>()
  return () => {
    for (;;) {
      const { given, family } = dice.pick(names)
      const [first, last] = [dice.pick(given), dice.pick(family)]
      const key = `${plain(first)}.${plain(last)}`
      if (taken.has(key)) continue
      taken.add(key)
      return { displayName: `${first} ${last}`, key }
    }
  }
}

// Letters that Unicode does not take apart into a plain one and a mark.
const whole: Record<string, string> = { đ: 'd', ı: 'i', ł: 'l', ø: 'o' }

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[đıłø]/g, (letter) => whole[letter] as string)

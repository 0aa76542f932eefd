// Questions before what cannot be undone.

interface Question {
  text: string;
  /** What is done if somebody agrees. */
  yes: string;
  answer: (agreed: boolean) => void;
}

class Questions {
  now = $state.raw<Question>();

  /** Asks, and tells whether somebody agrees; a question that stands already is answered with no. */
  ask(text: string, yes: string): Promise<boolean> {
    this.now?.answer(false);
    return new Promise((done) => {
      this.now = {
        text,
        yes,
        answer: (agreed) => {
          this.now = undefined;
          done(agreed);
        },
      };
    });
  }
}

export const questions = new Questions();

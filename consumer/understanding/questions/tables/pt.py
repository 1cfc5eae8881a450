"""Portuguese. A verb's ending says who does it: "devo" is "I owe"."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="pt",
    when=phrases(
        "quando | até quando | para quando | que dia | em que dia | qual a data | em que data | a que horas | que horas"
    ),
    who=phrases("quem | a quem | de quem | com quem"),
    much=phrases("quanto | quantos | quantas | quanta | qual o valor | por quanto"),
    elsewhere=phrases("onde | porque | por que | porquê | como | qual a morada | qual o endereço"),
    what=words("que qual quais"),
    dates=words("data"),
    subject_i=words("eu devo tenho prometi nós devemos temos"),
    owe=phrases(
        "devo | deve | devem | devemos | prometi | prometeu | prometido | tenho de | tenho que | tem de | tem que |"
        " por fazer | pendente | pendentes | minha lista"
    ),
    owed_me=phrases(
        "me deve | me devem | nos deve | nos devem | devem me | deve me | me prometeu | me prometeram | nos prometeram"
    ),
    promise=phrases("prometi | prometeu | prometido"),
    must=phrases("devo | tenho de | tenho que | temos de"),
    want=phrases("quer | queria | pediu | pede | pedido | precisa de mim | espera de mim"),
    wait=phrases("espero | estou à espera | estou esperando | aguardo"),
    due=phrases("vence | vencem | para entregar"),
    overdue=phrases("atrasado | atrasada | atrasados | em atraso | vencido"),
    changed=phrases("mudou | mudança | alterado | alterada | adiado | adiada | mudado | alteração | remarcado"),
    changed_past=words("mudou alterado alterada adiado adiada mudado remarcado"),
    not_yet=words("ser será serão seria vai vão pode podem poderia poderá deverá deveria devia precisa precisam"),
    decided=phrases("decidimos | decidiu | decidido | decisão | decisões | combinado | combinámos"),
    last=words("último última ultimamente"),
    next=words("próxima próximo seguinte"),
    over=words("foi foram era vi tive reuni encontrei"),
    toward=words("a ao para"),
    away=words("de do da desde"),
    heard=words("escreveu escrito mensagem mail notícias contactou ligou respondeu email"),
    hears=words("notícias"),
    meet=words("vejo ver vi reunião encontro próxima próximo encontrar"),
    meeting=words("reunião encontro sessão"),
    attend=words("vem vêm participa participam vai vão convidado convidados estará"),
    phone=phrases("telefone | número | número de telefone | telemóvel | celular"),
    email=phrases("email | e-mail | mail | correio eletrónico"),
    still_on=phrases("continua marcado | continua marcada | mantém-se"),
    called_off=phrases("cancelado | cancelada | anulado | anulada"),
    yes_no=words("já é está estão foi há tenho continua"),
    past=words("já enviei paguei"),
    filler=words(
        """
        acerca respeito
        o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às e ou para por pelo pela com sobre é são
        está estão foi era ser tem ter há lhe se me meu minha meus minhas mim eu nós nosso te teu tua seu sua que qual
        quais isto isso algo tudo ainda já agora favor diz sabes data dia hora mais exatamente fazer feito vai próxima
        próximo até tenho
        """
    ),
    attributes=pairs(
        """
        começa início inicia arranca: start date | termina acaba fim: end | fecha: closing end | abre abertura
        inauguração: opening start date | entrega chega entregue: delivery | prazo limite vence: deadline | custa
        custo preço: price cost fee rate rent total offer deposit | lançamento: date start
        """
    ),
    wording=dict(
        you_owe="Você prometeu a {names}: {what}",
        quoted="\u201c{words}\u201d",
        your_task="Na sua lista: {what}",
        owed_to_you="{owner} prometeu a você: {what}",
        asked_of_you="{names} pede a você: {what}",
        asked_by_you="Você pede a {names}: {what}",
        others="{owner} prometeu a {names}: {what}",
        alone="{owner} prometeu: {what}",
        you_alone="Você prometeu: {what}",
        due=", até {day}",
        overdue=", era até {day}",
        due_before=", antes de {day}",
        delivered=", feito a {day}",
        done=", feito",
        declined=", recusado",
        taken_back=", promessa retirada",
        withdrawn=", já não é preciso",
        condition=", se {condition}",
        fact="{subject}: {value}",
        since=", desde {day}",
        replaced=", antes {value}",
        disputed="{subject}: {sides}",
        side="{who} diz {value} ({day})",
        side_you="você diz {value} ({day})",
        side_nobody="uma nota diz {value} ({day})",
        change="{subject}: agora {after}, antes {before} ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", com {names}",
        cancelled="{title} de {day}: cancelado",
        contact="{name}: {value}",
        heard="{name}: última mensagem a {day}",
        decided="Decidido a {day}: {what}",
        said_by="{text}, diz {who}",
        yes="Sim. {text}",
        no="Não. {text}",
        no_word="Ainda não há registo disso. {text}",
        conjunction="e",
        day="{day} de {month} de {year}",
        at="{day}, {time}",
        you="você",
    ),
    names=pairs(
        """
        date: data | deadline: prazo | start: início | end: fim | delivery: entrega | opening: abertura | closing:
        fecho | budget: orçamento | price: preço | cost: custo | fee: taxa | rent: renda | deposit: caução | salary:
        salário | discount: desconto | phone: telefone | email: e-mail | version: versão | target: meta | capacity:
        capacidade | revenue: receita | margin: margem | total: total | offer: proposta
        """
    ),
)

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MemoryRegistry} from "./MemoryRegistry.sol";
import {Relayed} from "./Relayed.sol";
import {IHeirs} from "./interfaces/IHeirs.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {IPayments} from "./interfaces/IPayments.sol";
import {Transfer} from "./libraries/Transfer.sol";

/// @notice What the marketplace pays, and the credit of those who could not be paid.
abstract contract Payments is Relayed, IPayments {
    uint256 private constant _PAYMENT_GAS = 100_000;
    /// @dev Leaves a payment its whole allowance after what the call itself costs, and after the 64th part of the gas
    /// that a call withholds (EIP-150).
    uint256 private constant _GAS_TO_PAY = 140_000;

    /// @inheritdoc IPayments
    IMemoryRegistry public immutable registry;
    /// @inheritdoc IPayments
    address public immutable dollar;

    /// @inheritdoc IPayments
    mapping(address account => uint256 amount) public creditOf;
    /// @inheritdoc IPayments
    mapping(address account => uint256 amount) public dollarCreditOf;
    bool private transient _locked;

    modifier locked() {
        if (_locked) revert Reentered();
        _locked = true;
        _;
        _locked = false;
    }

    constructor(address dollar_) {
        registry = new MemoryRegistry(trustedForwarder());
        dollar = dollar_;
    }

    /// @inheritdoc IPayments
    function withdraw(address to) external locked {
        _requireRecipient(to);
        _withdraw(_msgSender(), to);
    }

    /// @inheritdoc IPayments
    function withdrawFor(address account) external locked {
        _withdraw(account, account);
    }

    /// @inheritdoc IPayments
    function withdrawDollars(address to) external locked {
        _requireRecipient(to);
        _withdrawDollars(_msgSender(), to);
    }

    /// @inheritdoc IPayments
    function withdrawDollarsFor(address account) external locked {
        _withdrawDollars(account, account);
    }

    /// @inheritdoc IPayments
    function takeOverCredit(address account) external locked {
        address heir = IHeirs(address(registry)).successorOf(account);
        if (_msgSender() != heir) revert IHeirs.CallerNotHeir(account, heir, _msgSender());
        (uint256 amount, uint256 dollars) = (creditOf[account], dollarCreditOf[account]);
        if (amount == 0 && dollars == 0) revert CreditEmpty(account);
        delete creditOf[account];
        delete dollarCreditOf[account];
        creditOf[heir] += amount;
        dollarCreditOf[heir] += dollars;
        emit CreditTakenOver(account, heir, amount, dollars);
    }

    /// @dev A recipient that refuses must not prevent the payment of the others.
    function _pay(address to, uint256 amount) internal {
        // Otherwise a caller could choose a gas limit at which a recipient refuses, and so credit it instead.
        if (gasleft() < _GAS_TO_PAY) revert GasTooLow(gasleft(), _GAS_TO_PAY);
        if (Transfer.sendNative(to, amount, _PAYMENT_GAS)) return;
        creditOf[to] += amount;
        emit Credited(to, amount);
    }

    /// @dev A dollar runs its own code alone, so lack of gas fails the whole act and credits nobody.
    function _payDollars(address to, uint256 amount) internal {
        if (Transfer.sendToken(dollar, to, amount, _PAYMENT_GAS)) return;
        dollarCreditOf[to] += amount;
        emit DollarsCredited(to, dollar, amount);
    }

    function _requireRecipient(address recipient) internal view {
        if (!_canReceive(recipient)) revert RecipientInvalid(recipient);
    }

    function _canReceive(address recipient) internal view returns (bool) {
        return recipient != address(0) && recipient != address(this) && recipient != address(registry)
            && recipient != trustedForwarder();
    }

    function _withdraw(address account, address to) private {
        uint256 amount = creditOf[account];
        if (amount == 0) revert CreditEmpty(account);
        delete creditOf[account];
        emit Withdrawn(account, to, amount);
        if (!Transfer.sendNative(to, amount, gasleft())) revert RecipientInvalid(to);
    }

    function _withdrawDollars(address account, address to) private {
        uint256 amount = dollarCreditOf[account];
        if (amount == 0) revert CreditEmpty(account);
        delete dollarCreditOf[account];
        emit DollarsWithdrawn(account, to, dollar, amount);
        if (!Transfer.sendToken(dollar, to, amount, gasleft())) revert RecipientInvalid(to);
    }
}
